# An image that runs leap.
#
#   docker build --tag leap .
#   docker run --rm --interactive --tty leap run -p "What is 7 + 5?"
#   docker run --rm --interactive --tty --volume leap-models:/models leap run LFM2-1.2B
#   docker run --rm --publish 127.0.0.1:8080:8080 --volume leap-models:/models leap serve --host 0.0.0.0 --no-key LFM2-1.2B
#
# Models are kept in /models. A server in a container has to listen on all of its addresses; --publish says who can reach it. scripts/check-image goes through the second stage without Docker.

ARG SWIFT_VERSION=6.2

FROM swift:${SWIFT_VERSION}-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN DESTDIR=/image PREFIX=/usr/local scripts/install

# Certificates are for downloads. OpenBLAS multiplies matrices of 32-bit floats. libturbojpeg and libwebp decode pictures.
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libopenblas0-pthread libstdc++6 libturbojpeg0 libwebp7 zlib1g \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 1000 leap && install --directory --owner leap /models
COPY --from=build /image/usr/local/bin/ /usr/local/bin/
ENV LEAP_CACHE=/models
VOLUME /models
USER leap
WORKDIR /home/leap
ENTRYPOINT ["leap"]
CMD ["--help"]
