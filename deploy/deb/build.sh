#!/usr/bin/env bash
# Builds the Debian package of ./rostrum, which make release has built, into the folder given, or
# the current one, and prints its path: deploy/deb/build.sh /tmp
set -euo pipefail
umask 022
output=$(realpath "${1:-.}")
cd "$(dirname "$0")/../.."

# A tag v1.2.0 is the version 1.2.0. Other commits are versions before 1, in the order of their times.
if ! version=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null); then
  version=v0~$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S).g$(git rev-parse --short=10 HEAD)
fi
version=${version#v}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
architecture=$(dpkg --print-architecture)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 0755 "$folder"

install -D -m 0755 rostrum "$folder/usr/bin/rostrum"
for unit in deploy/systemd/*; do
  install -D -m 0644 "$unit" "$folder/usr/lib/systemd/system/$(basename "$unit")"
done
install -D -m 0600 deploy/deb/rostrum.env "$folder/etc/rostrum/rostrum.env"
documents=$folder/usr/share/doc/rostrum
install -D -m 0644 LICENSE "$documents/copyright"
install -m 0644 -t "$documents" docs/packages.md docs/operating.md docs/backups.md docs/settings.md docs/upgrade.md
gzip -9nc CHANGELOG.md >"$documents/changelog.gz"

deploy/fonts.sh "$folder/usr/share/rostrum/font"

mkdir "$folder/DEBIAN"
install -m 0755 -t "$folder/DEBIAN" deploy/deb/postinst deploy/deb/prerm deploy/deb/postrm
echo /etc/rostrum/rostrum.env >"$folder/DEBIAN/conffiles"
(cd "$folder" && find etc usr -type f -print0 | sort -z | xargs -0 md5sum) >"$folder/DEBIAN/md5sums"
cat >"$folder/DEBIAN/control" <<EOF
Package: rostrum
Version: $version
Architecture: $architecture
Maintainer: Rostrum <rostrum@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$folder" | cut -f1)
Depends: adduser, ca-certificates
Recommends: tesseract-ocr
Suggests: postgresql, redis-server, haproxy
Section: web
Priority: optional
Description: GraphQL gateway with a REST layer for communications teams
 It has a web console, the guide, a playground and the fonts of PDFs. Without
 settings it uses SQLite; several processes share Postgres and Redis.
EOF
dpkg-deb --root-owner-group --build -Zzstd "$folder" "$output/rostrum_${version}_$architecture.deb" >&2
echo "$output/rostrum_${version}_$architecture.deb"
