"""Hostile programs, one function each: prints GOT when it got something, and otherwise what stopped it.

Run as `attack.py NAME TARGETS`; TARGETS is JSON from the test: paths, ports and pids outside the wall.
Every attack is bounded, so that one that gets through harms nobody.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import signal
import socket
import struct
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "x86_64": dict(ptrace=101, pidfd_open=434, pidfd_send_signal=424, io_uring_setup=425, bpf=321, perf_event_open=298,
                   userfaultfd=323, keyctl=250, add_key=248, memfd_create=319, vmsplice=278, personality=135,
                   process_vm_readv=310, process_vm_writev=311, rt_sigqueueinfo=129, tgkill=234, prlimit64=302,
                   open_by_handle_at=304, name_to_handle_at=303, unshare=272, setns=308, clone3=435, mknodat=259,
                   pidfd_getfd=438, seccomp=317, fsopen=430, open_tree=428, mq_open=240, execveat=322, clone=56),
    "aarch64": dict(ptrace=117, pidfd_open=434, pidfd_send_signal=424, io_uring_setup=425, bpf=280, perf_event_open=241,
                    userfaultfd=282, keyctl=219, add_key=217, memfd_create=279, vmsplice=75, personality=92,
                    process_vm_readv=270, process_vm_writev=271, rt_sigqueueinfo=138, tgkill=131, prlimit64=261,
                    open_by_handle_at=265, name_to_handle_at=264, unshare=97, setns=268, clone3=435, mknodat=33,
                    pidfd_getfd=438, seccomp=277, fsopen=430, open_tree=428, mq_open=180, execveat=281, clone=220),
}[platform.machine()]
TARGETS = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}


class Stopped(Exception):
    pass


def call(name, *arguments):
    """Make a raw system call; raise OSError when the kernel or the wall says no."""
    result = libc.syscall(NUMBERS[name], *arguments)
    return checked(result, name)


def checked(result, name=""):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def forked(deed):
    """Run a deed in a child made past Python's own fork; give the child's pid."""
    pid = checked(libc.fork(), "fork")
    if pid == 0:
        try:
            deed()
        finally:
            os._exit(0)
    return pid


# processes and resources

def fork_bomb():
    pids = []
    try:
        for _ in range(150):
            pids.append(forked(lambda: time.sleep(0.2)))
    except OSError:
        if pids:
            raise Stopped(f"after {len(pids)}")
        raise

def vfork_through_subprocess():
    import subprocess
    subprocess.run(["/bin/true"], check=True)

def posix_spawn():
    os.posix_spawn("/bin/true", ["true"], {})

def spawn_by_ctypes():
    arguments = (ctypes.c_char_p * 2)(b"true", None)
    pid = ctypes.c_int()
    result = libc.posix_spawn(ctypes.byref(pid), b"/bin/true", None, None, arguments, None)
    if result:
        raise OSError(result, "posix_spawn")

def execve():
    arguments = (ctypes.c_char_p * 2)(b"echo", None)
    checked(libc.execv(b"/bin/true", arguments), "execv")

def execveat():
    fd = os.open(sys.executable, os.O_RDONLY)
    call("execveat", fd, b"", 0, 0, 0x1000)

def clone_new_process():
    if call("clone", signal.SIGCHLD, 0, 0, 0, 0) == 0:
        os._exit(0)

def clone3_new_process():
    arguments = ctypes.create_string_buffer(struct.pack("=8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0))
    if call("clone3", arguments, 64) == 0:
        os._exit(0)

def thread_bomb():
    stop = threading.Event()
    threads = []
    try:
        for _ in range(300):
            thread = threading.Thread(target=stop.wait, daemon=True)
            thread.start()
            threads.append(thread)
    except RuntimeError as error:
        raise Stopped(f"after {len(threads)}: {error}")
    finally:
        stop.set()

def memory():
    hoard = []
    for _ in range(1500):
        hoard.append(bytearray(b"x") * (1 << 20))

def memory_by_forks():
    def hoard():
        bytearray(b"x") * (300 << 20)
        time.sleep(0.2)
    for _ in range(4):
        forked(hoard)

def memory_by_memfd():
    fd = call("memfd_create", b"x", 0)
    for _ in range(300):
        os.write(fd, b"x" * (1 << 20))

def memory_by_mmap_shared():
    import mmap
    area = mmap.mmap(-1, 1 << 30)
    for place in range(0, 1 << 30, 4096):
        area[place] = 1

def cpu():
    while True:
        pass

def cpu_with_signals_blocked():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass

def cpu_in_threads():
    for _ in range(3):
        threading.Thread(target=cpu, daemon=True).start()
    cpu()

def sleep():
    time.sleep(60)

def sleep_with_signals_ignored():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(60)

def flood():
    while True:
        os.write(1, b"x" * 65536)

def flood_stderr():
    while True:
        os.write(2, b"x" * 65536)

def flood_channel():
    while True:
        os.write(3, b"\0\0\xff\xffVx" * 10000)

def big_file():
    with open("big", "wb") as file:
        for _ in range(200):
            file.write(b"x" * (1 << 20))
            file.flush()

def many_files():
    for number in range(400):
        with open(f"f{number}", "wb") as file:
            file.write(b"x" * (1 << 20))
    time.sleep(20)

def many_inodes():
    for number in range(30_000):
        os.close(os.open(f"e{number}", os.O_CREAT | os.O_WRONLY))
    time.sleep(20)

def deep_folders():
    for _ in range(4_000):
        os.mkdir("d")
        os.chdir("d")
    time.sleep(20)

def sparse_file():
    with open("sparse", "wb") as file:
        file.truncate(1 << 40)

def hold(count, opened):
    """Fill files that have no name, and keep them; 4 MiB are allowed, 64 would be written."""
    kept = []
    for number in range(count):
        file = opened(number)
        for _ in range(3):
            file.write(bytes(1 << 20))
            time.sleep(0.02)
        kept.append(file)
    return kept

def fill_with_unlinked_files():
    def opened(number):
        file = open(f"u{number}", "wb", buffering=0)
        os.unlink(f"u{number}")
        return file
    kept = hold(20, opened)
    time.sleep(20)

def fill_with_nameless_files():
    kept = hold(20, lambda _: open(os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600), "wb", buffering=0))
    time.sleep(20)

def fill_with_mapped_files():
    import mmap
    kept = []
    def opened(number):
        file = open(f"m{number}", "w+b", buffering=0)
        file.write(bytes(1 << 20))
        kept.append(mmap.mmap(file.fileno(), 4096))
        os.unlink(f"m{number}")
        return file
    files = [hold(1, opened) for _ in range(20)]
    time.sleep(20)

def small_threads():
    threading.stack_size(32768)
    stop = threading.Event()
    try:
        for _ in range(1000):
            threading.Thread(target=stop.wait, daemon=True).start()
        time.sleep(1)
    finally:
        stop.set()

def close_the_folder_above():
    for path in ("..", ".", "../tmp"):
        os.chmod(path, 0)
    raise Stopped("closed")

def names_of_the_sweeper():
    for number in range(50):
        os.makedirs(f"../\x01{number}/full")
        os.makedirs(f"deep/\x01{number}/full")
    raise Stopped("made")

def folders_without_rights():
    for number in range(20):
        os.makedirs(f"closed/{number}/inner")
        os.symlink("/", f"closed/{number}/inner/root")
        os.chmod(f"closed/{number}/inner", 0)
        os.chmod(f"closed/{number}", 0)
    os.chmod("closed", 0)
    raise Stopped("closed")

def open_files():
    kept = [open("/dev/null") for _ in range(2000)]
    return kept

def raise_limits():
    for which in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS):
        resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

def raise_soft_limits():
    for which in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        soft, hard = resource.getrlimit(which)
        resource.setrlimit(which, (hard + 1, hard + 1))

def nice():
    os.nice(-5)

def set_affinity():
    os.sched_setaffinity(0, {0})

def real_time_priority():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))

def core_dump():
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))

def lock_memory():
    checked(libc.mlockall(3), "mlockall")

# other processes

def kill_sibling():
    os.kill(TARGETS["victim"], signal.SIGTERM)

def kill_supervisor():
    os.kill(TARGETS["supervisor"], 0)

def tgkill_sibling():
    call("tgkill", TARGETS["victim"], TARGETS["victim"], signal.SIGTERM)

def queue_signal_to_sibling():
    information = ctypes.create_string_buffer(struct.pack("=iii", signal.SIGTERM, 0, -1), 128)
    call("rt_sigqueueinfo", TARGETS["victim"], signal.SIGTERM, information)

def pidfd_of_sibling():
    fd = call("pidfd_open", TARGETS["victim"], 0)
    call("pidfd_send_signal", fd, signal.SIGTERM, 0, 0)

def pidfd_of_parent():
    call("pidfd_open", os.getppid() or 1, 0)

def descriptor_of_sibling():
    call("pidfd_getfd", call("pidfd_open", TARGETS["victim"], 0), 1, 0)

def kill_everyone():
    os.kill(-1, signal.SIGTERM)
    raise Stopped("the call was made; the neighbours tell")

def kill_own_group():
    os.killpg(os.getpgid(os.getppid()) if os.getppid() else 1, signal.SIGTERM)

def signal_by_descriptor():
    import fcntl
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, TARGETS["victim"])
    fcntl.fcntl(reading, 10, signal.SIGTERM)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")

def limit_sibling():
    call("prlimit64", TARGETS["victim"], resource.RLIMIT_NOFILE, ctypes.create_string_buffer(struct.pack("=QQ", 3, 3)), 0)

def ptrace_sibling():
    call("ptrace", 16, TARGETS["victim"], 0, 0)

def ptrace_parent():
    call("ptrace", 16, os.getppid() or 1, 0, 0)

def read_memory_of_sibling():
    place = ctypes.create_string_buffer(8)
    local = struct.pack("=QQ", ctypes.addressof(place), 8)
    remote = struct.pack("=QQ", TARGETS["address"], 8)
    if call("process_vm_readv", TARGETS["victim"], local, 1, remote, 1, 0) != 8:
        raise Stopped("nothing read")

def write_memory_of_sibling():
    place = ctypes.create_string_buffer(b"stolen!!", 8)
    local = struct.pack("=QQ", ctypes.addressof(place), 8)
    remote = struct.pack("=QQ", TARGETS["address"], 8)
    call("process_vm_writev", TARGETS["victim"], local, 1, remote, 1, 0)

def inherited_descriptors():
    found = []
    for fd in range(4, 4096):
        try:
            os.fstat(fd)
            found.append(fd)
        except OSError:
            pass
    if not found:
        raise Stopped("none")
    print(found)

def daemon():
    def live_on():
        os.setsid()
        forked(lambda: time.sleep(30))
    forked(live_on)

def new_session():
    os.setsid()

# files

def read_secret():
    print(open(TARGETS["secret"]).read())

def read_grader():
    print(open(TARGETS["grader"]).read()[:10])

def read_passwd():
    print(open("/etc/passwd").read()[:10])

def list_root():
    found = [name for name in os.listdir("/") if name not in TARGETS["container"]]
    if not found:
        raise Stopped("nothing but the container")
    print(found)

def list_home():
    print(os.listdir(TARGETS["folder"]))

def read_by_ctypes():
    fd = checked(libc.open(TARGETS["secret"].encode(), os.O_RDONLY), "open")
    print(os.read(fd, 10))

def read_through_symlink():
    os.symlink(TARGETS["secret"], "link")
    print(open("link").read())

def read_through_dots():
    print(open("../" * 12 + TARGETS["secret"].lstrip("/")).read())

def read_through_descriptor_of_folder():
    fd = os.open("/", os.O_RDONLY)
    print(os.read(os.open(TARGETS["secret"].lstrip("/"), os.O_RDONLY, dir_fd=fd), 10))

def hard_link_to_secret():
    os.link(TARGETS["secret"], "hard")
    print(open("hard").read())

def rename_secret_here():
    os.rename(TARGETS["writable"], "mine")

def write_outside():
    open(TARGETS["folder"] + "/new", "w").write("x")

def append_outside():
    open(TARGETS["writable"], "a").write("x")

def unlink_outside():
    os.unlink(TARGETS["folder"] + "/writable")

def truncate_outside():
    os.truncate(TARGETS["writable"], 0)

def truncate_by_opening():
    os.open(TARGETS["writable"], os.O_RDONLY | os.O_TRUNC)

def chmod_outside():
    os.chmod(TARGETS["own"], 0o600)

def touch_outside():
    os.utime(TARGETS["own"], (1, 1))

def attribute_outside():
    os.setxattr(TARGETS["writable"], "user.x", b"1")

def stat_outside():
    print(os.stat(TARGETS["secret"]).st_size)

def write_library():
    open(os.__file__, "a").close()

def write_root():
    open("/new", "w").close()

def make_device():
    call("mknodat", -100, b"device", 0o020666, 0x103)
    open("device")

def make_fifo_outside():
    os.mkfifo(TARGETS["folder"] + "/fifo")

def shared_memory_file():
    open("/dev/shm/x", "w").write("x")

def leave_in_tmp():
    open("/tmp/left-by-a-case", "w").write("x")
    raise Stopped("written; the next case tells")

def find_in_tmp():
    print(open("/tmp/left-by-a-case").read())

def leave_at_home():
    open("left-by-a-case", "w").write("x")
    raise Stopped("written; the next case tells")

def find_at_home():
    for folder, _, files in os.walk(os.path.dirname(os.getcwd())):
        if "left-by-a-case" in files:
            return
    raise Stopped("nothing left")

def handle_of_file():
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 136)
    mount = ctypes.c_int()
    call("name_to_handle_at", -100, TARGETS["secret"].encode(), handle, ctypes.byref(mount), 0)
    call("open_by_handle_at", os.open("/", os.O_RDONLY), handle, 0)

def environment_of_parent():
    print(open(f"/proc/{os.getppid()}/environ").read())

def memory_of_parent():
    open(f"/proc/{os.getppid()}/mem", "rb+")

def own_memory_file():
    open("/proc/self/mem", "rb+")

def command_lines():
    print([open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()][:3])

def descriptors_of_parent():
    print(os.listdir(f"/proc/{os.getppid()}/fd"))

def flock_a_library_file():
    import fcntl
    fcntl.flock(open(os.__file__), fcntl.LOCK_EX)

def ask_for_locks():
    import fcntl
    fcntl.fcntl(open(os.__file__), fcntl.F_GETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))

def wake_a_shared_futex():
    file = open(os.__file__, "rb")
    mapping = libc.mmap
    mapping.restype = ctypes.c_void_p
    address = mapping(None, 4096, 1, 1, file.fileno(), 0)
    call_number = {"x86_64": 202, "aarch64": 98}[platform.machine()]
    checked(libc.syscall(call_number, ctypes.c_void_p(address), 1, 1, None, None, 0), "futex")

# network

def tcp():
    socket.create_connection(("127.0.0.1", TARGETS["tcp"]), timeout=1)

def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", TARGETS["udp"]))

def tcp_to_the_world():
    socket.create_connection(("192.0.2.1", 80), timeout=0.2)

def listen():
    socket.create_server(("127.0.0.1", 0))

def unix_socket():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(TARGETS["unix"])

def abstract_socket():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + TARGETS["abstract"])

def datagram_through_a_pair():
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", TARGETS["unix"] + ".datagram")

def netlink():
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)

def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)

def packet_socket():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)

def name_server():
    socket.getaddrinfo("example.org", 80)

# the kernel

def become_root():
    os.setuid(0)

def set_groups():
    os.setgroups([0])

def mount():
    checked(libc.mount(b"none", b".", b"tmpfs", 0, None), "mount")

def mount_proc():
    os.makedirs("p", exist_ok=True)
    checked(libc.mount(b"proc", b"p", b"proc", 0, None), "mount")

def unmount():
    checked(libc.umount2(os.path.dirname(os.getcwd()).encode(), 2), "umount")

def new_mount_api():
    call("fsopen", b"tmpfs", 0)

def open_tree():
    call("open_tree", -100, b"/", 1)

def user_namespace():
    call("unshare", 0x10000000)

def enter_namespace():
    call("setns", 0, 0)

def chroot():
    os.chroot(".")

def io_uring():
    call("io_uring_setup", 8, ctypes.create_string_buffer(120))

def bpf():
    call("bpf", 0, ctypes.create_string_buffer(72), 72)

def perf():
    call("perf_event_open", ctypes.create_string_buffer(struct.pack("=IIQ", 1, 112, 0), 112), 0, -1, -1, 0)

def userfaultfd():
    call("userfaultfd", 1)

def keyring():
    call("keyctl", 0, -3, 1)

def add_key():
    call("add_key", b"user", b"x", b"y", 1, -3)

def shared_memory():
    checked(libc.shmget(0, 4096, 0o1600), "shmget")

def message_queue():
    checked(libc.msgget(4711, 0o1600), "msgget")

def semaphore():
    checked(libc.semget(4711, 1, 0o1600), "semget")

def posix_queue():
    call("mq_open", b"x", os.O_CREAT | os.O_RDWR, 0o600, 0)

def vmsplice():
    _, writing = os.pipe()
    data = ctypes.create_string_buffer(4096)
    call("vmsplice", writing, struct.pack("=QQ", ctypes.addressof(data), 4096), 1, 0)

def personality():
    call("personality", 0x0040000)

def terminal_injection():
    import fcntl
    fcntl.ioctl(0, 0x5412, b"x")

def other_numbering():
    number = {"x86_64": 0x40000000 + 39, "aarch64": 0x40000000}[platform.machine()]
    checked(libc.syscall(number), "x32")

def own_filter():
    call("seccomp", 1, 0, 0)

def dumpable():
    checked(libc.prctl(4, 1, 0, 0, 0), "prctl")

def host_name():
    socket.sethostname("mine")

def set_clock():
    time.clock_settime(time.CLOCK_REALTIME, time.time())

def reboot():
    checked(libc.reboot(0), "reboot")

def kernel_log():
    checked(libc.klogctl(3, ctypes.create_string_buffer(100), 100), "klogctl")

def sync_disks():
    os.sync()
    raise Stopped("no way to tell")

def every_other_call():
    """Try every system call that the filter doesn't name, with empty arguments."""
    allowed = {*TARGETS["allowed"], 335, 336}  # uretprobe and uprobe, which the kernel itself keeps from filters
    through = []
    for number in range(470):
        if number not in allowed:
            ctypes.set_errno(0)
            result = libc.syscall(number, 0, 0, 0, 0, 0, 0)
            if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP):
                through.append(number)
    if not through:
        raise Stopped("all")
    print(through)

def pidfd_of_the_peer():
    peer = socket.socket(fileno=os.dup(3))
    for option in (77, 17, 59):  # SO_PEERPIDFD, SO_PEERCRED, SO_PEERGROUPS
        try:
            peer.getsockopt(socket.SOL_SOCKET, option, 64)
        except OSError:
            continue
        return
    raise Stopped("none told")

def out_of_band():
    one, other = socket.socketpair()
    one.send(b"x", socket.MSG_OOB)

def groups_of_other_processes():
    for deed in (os.getpgid, os.getsid, os.sched_getaffinity, os.sched_getscheduler):
        try:
            deed(os.getppid() or TARGETS["victim"])
        except OSError:
            continue
        return
    raise Stopped("none told")

def clock_of_another_process():
    time.clock_gettime((~TARGETS["victim"] << 3) | 2)

def priority_of_another_user():
    os.getpriority(os.PRIO_USER, 0)

# the interpreter and the harness

def segfault():
    ctypes.string_at(0)

def abort():
    os.abort()

def terminate_itself():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(0.1)
    raise Stopped("ignored")

def recursion():
    sys.setrecursionlimit(10**9)
    def walk(n):
        return walk(n + 1) + 1
    def c_walk():
        class A:
            def __getattr__(self, name):
                return getattr(self, name + "x")
        A().x
    c_walk()
    walk(0)

def search_for_secrets():
    import gc
    needle = "EXPECTED" + "-"
    gc.unfreeze()
    things = [value for thing in gc.get_objects() if isinstance(thing, dict) for value in tuple(thing.values())]
    if not any(isinstance(thing, str) and thing.startswith(needle) for thing in things):
        raise Stopped("not found")

def frames_below():
    import _socket
    frame, found = sys._getframe(), []
    while frame is not None:
        found += [*frame.f_locals.values(), *frame.f_globals.values()]
        frame = frame.f_back
    kept = [value for thing in found for value in getattr(thing, "__dict__", {}).values()]
    ends = [thing for thing in (*found, *kept) if isinstance(thing, _socket.socket) and thing.fileno() >= 0]
    if not ends and not any("EXPECTED" + "-" in repr(thing) for thing in (*found, *kept)):
        raise Stopped("nothing of use")
    print(ends)

def forge_failed_set_up():
    body = b'S"the machine is broken"'
    os.write(3, struct.pack(">I", len(body)) + body)
    os._exit(0)

def forge_no_begin():
    os.write(3, struct.pack(">I", 5) + b"Gnull")
    raise Stopped("written")


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]]()
    except (OSError, Stopped, MemoryError, RuntimeError, ValueError) as error:
        print("stopped:", type(error).__name__, error)
    else:
        print("GOT")
