/**
 * Makes a root of its own within new namespaces and runs a program there: the shell's half of the sandbox, for what only
 * util-linux does. Arguments: a folder to build the root in, the folder of the program's files, the size of the writable
 * part, paths to show read-only up to `--`, the user to become or 0, the limits for `prlimit` up to `--`, the command.
 *
 * The old root is taken away before the program starts; what it sees is these paths, `/src`, a `/proc` of its own and a
 * writable part in memory. That it came so far is said on descriptor 3.
 */
export const ENTER = `
set -eu
# pivot_root is not on the path of ordinary users.
PATH=$PATH:/usr/sbin:/sbin
root=$1 src=$2 size=$3
shift 3
mount --make-rprivate /
mount -t tmpfs -o "size=$size,nr_inodes=8192,mode=755" sandbox "$root"
cd "$root"
mkdir -p src proc dev old
mkdir -m 1777 tmp
show() {
  if [ -e ".$1" ]; then return; fi
  if [ -L "$1" ]; then ln -s "$(readlink "$1")" ".$1"; return; fi
  if [ -d "$1" ]; then mkdir -p ".$1"; else mkdir -p ".$(dirname "$1")"; : > ".$1"; fi
  mount --bind "$1" ".$1"
  mount -o remount,bind,ro ".$1"
}
while [ "$1" != -- ]; do
  if [ -e "$1" ]; then show "$1"; fi
  shift
done
shift
for device in null zero urandom; do
  : > "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mount --bind "$src" src
mount -o remount,bind,ro src
mount -t proc -o nosuid,nodev,noexec proc proc 2>&- || :
pivot_root . old
cd /tmp
umount -l /old
rmdir /old
user=$1
shift
limits=
while [ "$1" != -- ]; do limits="$limits $1"; shift; done
shift
drop='--no-new-privs --bounding-set=-all --inh-caps=-all'
if [ "$user" != 0 ]; then drop="$drop --reuid=$user --regid=$user --clear-groups"; fi
echo ready >&3
exec 3>&-
set +e
# Not by exec: the first process of a namespace would ignore most signals.
env -i PATH=/usr/bin:/bin HOME=/tmp TMPDIR=/tmp LANG=C.UTF-8 prlimit $limits setpriv $drop "$@"
exit $?
`;
