#!/bin/sh
# Records the time of a successful backup for the alert BackupOld, as a metric for node_exporter's textfile collector:
#   pgbackrest --stanza=svc --type=diff backup && record-backup.sh pgbackrest
#   svc backup create --out FILE && svc backup verify FILE && record-backup.sh svc
# TEXTFILE_DIR is the folder in node_exporter's --collector.textfile.directory; the default is Debian's.
set -eu
kind=${1:?usage: record-backup.sh KIND, such as pgbackrest or svc}
case $kind in *[!a-z0-9-]*) echo "record-backup.sh: KIND may only contain a-z, 0-9 and -" >&2; exit 1 ;; esac
folder=${TEXTFILE_DIR:-/var/lib/prometheus/node-exporter}
# node_exporter must never read half a file.
new=$(mktemp "$folder/.backup-$kind.XXXXXX")
cat > "$new" <<END
# HELP backup_last_success_timestamp_seconds Time of the last successful backup.
# TYPE backup_last_success_timestamp_seconds gauge
backup_last_success_timestamp_seconds{kind="$kind"} $(date +%s)
END
chmod 644 "$new"
mv "$new" "$folder/backup-$kind.prom"
