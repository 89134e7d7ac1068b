# Reads the archive $BACKUP of $BACKUPS into the database, which must be empty. Runs in the folder of the image.
node apps/operate/dist/main.js import "$BACKUPS/$BACKUP"
