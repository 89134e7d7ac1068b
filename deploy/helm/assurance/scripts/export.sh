# Writes an archive of everything to $BACKUPS, then removes all but the newest $KEEP. Runs in the folder of the image.
node apps/operate/dist/main.js export --to "$BACKUPS/$(date -u +%Y%m%dT%H%M%SZ).archive" --with-secrets
cd "$BACKUPS"
ls | grep -E '^[0-9]{8}T[0-9]{6}Z\.archive$' | sort | head -n "-$KEEP" | while read -r old; do
  rm -- "$old"
done
