# npm is needed to install only; the service runs with the Node.js that package-lock.json pins.
FROM node:24-trixie-slim AS install
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
# Pages use two weights of each font.
RUN npm ci --omit=dev \
  && find node_modules/@expo-google-fonts -name '*.ttf' ! -path '*/400Regular/*' ! -path '*/700Bold/*' -delete

FROM debian:trixie-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libatomic1 libnss3 libstdc++6 tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin service \
  && install -d -o service -g service -m 700 /data
WORKDIR /service
COPY --from=install /service/node_modules ./node_modules
COPY . .
ENV NODE_ENV=production \
  NODE_OPTIONS=--max-old-space-size=512 \
  PATH=/service/node_modules/.bin:/usr/local/bin:/usr/bin:/bin \
  HOST=0.0.0.0 \
  DATA_DIR=/data
# Chromium and its fonts are prepared here: a container that makes PDF files runs them from the image, where nothing can
# be written.
RUN node workers/pdf/unpack-command.ts
# Nobody can read it from .git here; without it the commit is told as unknown.
ARG GIT_COMMIT=
RUN printf '%s' "$GIT_COMMIT" > commit
USER service
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "start/healthcheck.ts"]
# Alone it brings its own database in /data; docker-compose.yml runs the API and the workers as containers of their own.
CMD ["node", "start.ts"]
