# One image for every service; the command picks the role: node apps/gateway/dist/main.js and so on; all of them in one process unless told.
# What a build runs is what `npm start` runs in a fresh clone: install by the lock file, compile. npm run check:image runs the same steps without containers.
FROM node:24-slim AS build
WORKDIR /srv/assurance
COPY . .
# What compiled the service and the pages goes. So do optional packages: they are Nodes, and the image has its own. So do the steps that prepare a
# checkout before `npm run operate` and its like: docker exec CONTAINER npm run operate -- parked
RUN node tools/setup/prepare.mjs --omit=dev && npm pkg delete dependencies -w apps/web -w tools && npm prune --omit=dev --omit=optional \
  && npm pkg delete scripts.preoperate scripts.preverify-package scripts.preshard-commands

FROM node:24-slim
ENV NODE_ENV=production ASSURANCE_HOST=0.0.0.0 ASSURANCE_DATA_DIR=/var/lib/assurance
# Large blocks go back to the system when they are freed.
ENV MALLOC_MMAP_THRESHOLD_=131072
# The file system may be read-only, and the user may be any.
ENV npm_config_cache=/tmp/npm npm_config_update_notifier=false
WORKDIR /srv/assurance
COPY --from=build /srv/assurance/package.json ./
COPY --from=build /srv/assurance/LICENSE ./
COPY --from=build /srv/assurance/NOTICES ./
COPY --from=build /srv/assurance/node_modules node_modules
COPY --from=build /srv/assurance/apps apps
COPY --from=build /srv/assurance/libs libs
COPY --from=build /srv/assurance/dist/services dist/services
RUN mkdir /var/lib/assurance && chown node:node /var/lib/assurance
VOLUME /var/lib/assurance
USER node
EXPOSE 8001 8002
# Ready, with all that the service needs; Node is all that there is to ask with. The certificate is not for this address, which is the container's own.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "const { ASSURANCE_TLS_CERTIFICATE_FILE: tls, ASSURANCE_OPERATIONS_PORT: port } = process.env; require(tls ? 'https' : 'http').get({ host: '127.0.0.1', port: port || 8002, path: '/ready', rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "apps/standalone/dist/main.js"]
