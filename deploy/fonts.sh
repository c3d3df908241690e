#!/usr/bin/env bash
# Copies the two weights of each font that PDFs use, with their licences, into a folder, for
# ROSTRUM_FONT_DIR: deploy/fonts.sh /usr/share/rostrum/font
set -euo pipefail
mkdir -p "$1"
output=$(realpath "$1")
cd "$(dirname "$0")/../asset/font/node_modules"
find . -name 'LICENSE*' -o -path '*/fonts/*-Regular.otf' -o -path '*/fonts/*-Bold.otf' -o -path '*/400Regular/*.ttf' \
  -o -path '*/700Bold/*.ttf' | while IFS= read -r path; do
  install -D -m 0644 "$path" "$output/$path"
done
