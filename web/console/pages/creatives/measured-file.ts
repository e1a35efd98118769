/** The properties of a picture or a video that a browser can read before the upload. */
export type Measured = { file: File; width: number; height: number; durationMs: number };

/** How long a still is shown by default. */
const STILL_MS = 10_000;

/** @throws when the browser cannot read the file */
export async function measureFile(file: File): Promise<Measured> {
  const url = URL.createObjectURL(file);
  try {
    return file.type.startsWith('video/') ? await measureVideo(file, url) : await measureStill(file, url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function measureStill(file: File, url: string): Promise<Measured> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { file, width: image.naturalWidth, height: image.naturalHeight, durationMs: STILL_MS };
}

async function measureVideo(file: File, url: string): Promise<Measured> {
  const video = document.createElement('video');
  video.preload = 'metadata';
  await new Promise((resolve, reject) => {
    video.onloadedmetadata = resolve;
    video.onerror = reject;
    video.src = url;
  });
  const { videoWidth: width, videoHeight: height, duration } = video;
  return { file, width, height, durationMs: Math.round(duration * 1_000) };
}
