# The image of the four services. Versions are pinned by tag; an operator who wants the very same bytes adds the digests of
# the tags that were tested (`docker buildx imagetools inspect node:22.23.5-bookworm-slim`): name:tag@sha256:...
# glibc, not musl, and Node 22: the packaged binary of uWebSockets.js is made for them. On Node 24 `ws` serves the screens.
ARG NODE=node:22.23.5-bookworm-slim

# Installs everything, builds pages and bundles, and keeps what the services run.
FROM ${NODE} AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm run --silent pack -- /service

FROM ${NODE} AS service
ENV NODE_ENV=production
WORKDIR /app
# A volume takes the owner of the folder that it covers: services write there. All else stays root's and read-only.
RUN mkdir -p /var/lib/marquee/data /var/lib/marquee/storage /var/lib/marquee/backups \
 && chown -R node:node /var/lib/marquee
COPY --from=build /service ./
USER node
# node itself gets the signals: npm as the first process would not hand on SIGTERM, and nothing would drain.
CMD ["node", "dist/programs/start.mjs", "api/main.ts"]

# Uploads are checked and encoded by the workers alone, so only they carry ffmpeg.
FROM service AS workers
USER root
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "dist/programs/start.mjs", "workers/main.ts"]
