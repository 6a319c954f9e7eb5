# syntax=docker/dockerfile:1
# toolpress in an image of its own: one static binary and the certificates it trusts. docs/deploy.md says how
# to run it. test/release runs this file's build line, its command and its health check without an engine.
#
#   docker build -t toolpress .
#   docker run --rm -p 127.0.0.1:8080:8080 \
#     -e TOOLPRESS_TOKEN -e TOOLPRESS_SITE=https://shop.example -e TOOLPRESS_USER -e TOOLPRESS_PASSWORD toolpress

# The build runs on the builder's own processor and compiles for the image's: no emulation.
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
# With .git: from it Go reads the version and the commit that `toolpress version` prints. All that is tracked
# has to come along (see .dockerignore), or git finds files deleted and the version says +dirty.
COPY . .
ARG TARGETOS TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=auto -ldflags="-s -w" -o /out/toolpress ./cmd/toolpress

FROM scratch
LABEL org.opencontainers.image.title="toolpress" \
      org.opencontainers.image.description="Serve a WordPress site to language models as MCP tools that a person chose" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/toolpress /toolpress
# A number, so that Kubernetes can see that it is not root. Nothing is ever written but below --state-dir.
USER 65532:65532
# Mount a folder with curation.yaml here, as a folder: an editor and a ConfigMap replace files, and a file
# mounted by itself would stay the old one. Without one: tools that only read.
WORKDIR /etc/toolpress
EXPOSE 8080
# All addresses, because a container's loopback cannot be published. That is safe by default: without
# TOOLPRESS_TOKEN, or a token for each profile, toolpress refuses to start on them, unless you add --no-auth yourself.
ENTRYPOINT ["/toolpress"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
# It asks 127.0.0.1:8080: with another --listen, or with --stdio, say --no-healthcheck or your own.
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 CMD ["/toolpress", "health"]
