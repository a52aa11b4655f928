#!/bin/sh
# Brings the mirrors of all students' repositories up to date; usage: fetch-mirrors.sh roster.csv
# Needs OWNER, MIRRORS and GRADER_GITHUB_TOKEN. The log of each mirror's tags holds the time at which they came.
set -eu
host=${GRADER_GIT_HOST:-https://github.com}
mkdir -p "$MIRRORS"
header="Authorization: Basic $(printf 'x-access-token:%s' "$GRADER_GITHUB_TOKEN" | base64 | tr -d '\n')"
# By the environment, since other users of the machine can read a command's arguments.
export GIT_TERMINAL_PROMPT=0 GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraHeader GIT_CONFIG_VALUE_0="$header"
# The class list is CSV with a header: columns in any order, cells perhaps quoted.
names=$(python3 -I - "$1" <<'END'
import csv, sys
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
if rows and "student" not in rows[0]:
    sys.exit(f"{sys.argv[1]} has no column called student")
print(*((row["student"] or "").strip() for row in rows), sep="\n")
END
)
printf '%s\n' "$names" | while read -r student; do
    case $student in "" | *[!A-Za-z0-9._-]* | .*) echo "skipped: $student" >&2; continue ;; esac
    mirror="$MIRRORS/$student.git"
    [ -d "$mirror" ] || git init --quiet --bare --template= "$mirror"
    git -C "$mirror" config core.logAllRefUpdates always
    # Known tags are not forced: one that was moved stays as it was graded, and is told here.
    git -C "$mirror" fetch --quiet --no-recurse-submodules "$host/$OWNER/$student.git" 'refs/tags/*:refs/tags/*' ||
        echo "$student: not fetched, or a tag was moved" >&2
done
