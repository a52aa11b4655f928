#!/bin/sh
# Forced command of a student's key: git in the student's own repository, and nothing else. In ~grader/.ssh/authorized_keys:
#   restrict,command="/srv/grader/only-own-repository.sh /srv/git/ann.git" ssh-ed25519 AAAA… ann
# Whatever path the student names, the repository is the key's.
case "$SSH_ORIGINAL_COMMAND" in
    "git-receive-pack "* | "git receive-pack "*) exec git receive-pack "$1" ;;
    "git-upload-pack "* | "git upload-pack "*) exec git upload-pack "$1" ;;
    *) echo "Only git push, fetch and clone are possible here." >&2; exit 1 ;;
esac
