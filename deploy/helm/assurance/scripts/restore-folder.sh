# Copies the backup $BACKUP of $BACKUPS into the data folder, which must be empty.
if [ ! -f "$BACKUPS/$BACKUP/assurance.db" ]; then
  echo "There is no backup $BACKUP. There are:"
  ls "$BACKUPS"
  exit 1
fi
if [ -n "$(ls -A "$ASSURANCE_DATA_DIR" | grep -v '^lost+found$')" ]; then
  echo "The data folder is not empty. Move what is in it away, or name another volume in standalone.volume.existingClaim."
  exit 1
fi
cp -a "$BACKUPS/$BACKUP/." "$ASSURANCE_DATA_DIR/"
sync
