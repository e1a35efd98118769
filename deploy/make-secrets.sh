#!/bin/sh
# Makes the secret files that docker-compose.yml mounts, once: what is there already is kept. Each value is random and
# is in one file for its engine and in another for the services.
# Usage: deploy/make-secrets.sh [folder]   (default: deploy/secrets)
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
# The folder keeps others out; the files in it are mounted one by one and read by each container's own user.
mkdir -p "$folder"
chmod 700 "$folder"

random_hex() { od -An -vtx1 -N "$1" /dev/urandom | tr -d ' \n'; }
random_base64() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
sha256() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }
write() {
    printf '%s\n' "$2" > "$folder/$1.new"
    chmod 644 "$folder/$1.new"
    mv "$folder/$1.new" "$folder/$1"
}
missing() { [ ! -f "$folder/$1" ]; }

if missing database_url; then
    password=$(random_hex 24)
    write postgres_password "$password"
    write database_url "postgres://marquee:$password@postgres:5432/marquee"
fi
if missing redis_url; then
    password=$(random_hex 24)
    # Redis keeps the hash; the default user is the only one.
    write redis_users "user default on #$(sha256 "$password") ~* &* +@all"
    write redis_url "redis://:$password@redis:6379"
fi
if missing clickhouse_url; then
    password=$(random_hex 24)
    analyst=$(random_hex 12)
    write clickhouse_passwords "<clickhouse><users><marquee><password_sha256_hex>$(sha256 "$password")</password_sha256_hex></marquee><analyst><password_sha256_hex>$(sha256 "$analyst")</password_sha256_hex></analyst></users></clickhouse>"
    write analyst_password "$analyst"
    write clickhouse_url "http://marquee:$password@clickhouse:8123/marquee"
fi
# SipHash-2-4 takes 128 bits; AES-256-GCM takes 256.
if missing signing_keys; then write signing_keys "1:$(random_base64 16)"; fi
if missing encryption_key; then write encryption_key "$(random_base64 32)"; fi
if missing grafana_password; then write grafana_password "$(random_hex 12)"; fi
