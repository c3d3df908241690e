# The image of Rostrum: the binary of make release with the fonts of PDFs, without a shell. It runs
# as the user 65532, and writes only to /var/lib/rostrum and /tmp. docs/packages.md says how.

FROM node:22-bookworm-slim AS node

# Go is here as the console's types are made from the schema that the program prints.
FROM golang:1.26-bookworm AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /source
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make release
# The fonts, with their licences, without the weights that PDFs do not use.
RUN deploy/fonts.sh /fonts && mkdir /data

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /source/rostrum /usr/bin/rostrum
COPY --from=build /fonts /usr/share/rostrum/font
COPY --from=build --chown=65532:65532 --chmod=0700 /data /var/lib/rostrum
ENV ROSTRUM_ADDR=0.0.0.0:8080 ROSTRUM_DATA_DIR=/var/lib/rostrum ROSTRUM_FONT_DIR=/usr/share/rostrum/font
WORKDIR /var/lib/rostrum
VOLUME /var/lib/rostrum
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s CMD ["/usr/bin/rostrum", "ready"]
ENTRYPOINT ["/usr/bin/rostrum"]
CMD ["serve"]
