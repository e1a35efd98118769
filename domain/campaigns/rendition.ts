/**
 * Renditions: the files that a creative is transcoded to, so that every platform plays it. A profile is a set of limits
 * that a decoder is known to accept, and each platform names the source of its limits. Platforms with the same limits
 * share a profile, which is encoded once. A profile's name states its limits: changed limits get a new name, and old
 * files stay valid.
 */
import type { Platform } from '../screens/screen.ts';
import type { Milliseconds } from '../unit.ts';

export type VideoProfile = {
  name: string;
  /** Profiles of H.264 that the decoder takes, as ffprobe names them; the last is what is encoded. */
  h264Profiles: readonly string[];
  /** Level times ten, as in the stream. */
  levelMax: number;
  longEdgeMax: number;
  shortEdgeMax: number;
  frameRateMax: number;
  /** Bits per second of the whole file. */
  bitRateMax: number;
};

const FULL_HD = { longEdgeMax: 1920, shortEdgeMax: 1080 } as const;
const UP_TO_MAIN = ['Constrained Baseline', 'Baseline', 'Main'] as const;
const UP_TO_HIGH = [...UP_TO_MAIN, 'High'] as const;

/**
 * H.264 with AAC-LC in MP4: the one combination that all eight platforms document. From the widest limits to the
 * narrowest.
 */
export const VIDEO_PROFILES = [
  {
    name: 'h264_high_l42_1080p60_20m',
    h264Profiles: UP_TO_HIGH,
    levelMax: 42,
    ...FULL_HD,
    frameRateMax: 60,
    bitRateMax: 20_000_000,
  },
  {
    name: 'h264_high_l40_1080p30_16m',
    h264Profiles: UP_TO_HIGH,
    levelMax: 40,
    ...FULL_HD,
    frameRateMax: 30,
    bitRateMax: 16_000_000,
  },
  {
    name: 'h264_main_l40_1080p30_8m',
    h264Profiles: UP_TO_MAIN,
    levelMax: 40,
    ...FULL_HD,
    frameRateMax: 30,
    bitRateMax: 8_000_000,
  },
] as const satisfies readonly VideoProfile[];
type VideoProfileName = (typeof VIDEO_PROFILES)[number]['name'];

export const AUDIO_LIMITS = { codec: 'aac', channelsMax: 2, sampleRateMax: 48_000, bitRate: 128_000 } as const;

/**
 * Stills are the same for all: a format that every browser engine of the last fifteen years shows, in the size of the
 * screen.
 */
export const STILL_PROFILE = {
  name: 'still_1080p_4m',
  contentTypes: ['image/jpeg', 'image/png'],
  longEdgeMax: 1920,
  shortEdgeMax: 1920,
  bytesMax: 4 * 1024 * 1024,
} as const;

export const PLATFORM_PROFILES: Readonly<Record<Platform, { profile: VideoProfileName; source: string }>> = {
  android_tv: {
    profile: 'h264_high_l42_1080p60_20m',
    source:
      'Android Compatibility Definition, 2.3.2 (television: 1080p at 60 frames, High Profile level 4.2) and 5.3.4 (20 Mbit/s)',
  },
  google_tv: {
    profile: 'h264_high_l42_1080p60_20m',
    source: 'Google TV devices are Android televisions: the same definition',
  },
  windows: {
    profile: 'h264_high_l42_1080p60_20m',
    source:
      'Microsoft Media Foundation, H.264 video decoder: Baseline, Main and High up to level 5.1; 20 Mbit/s as for televisions',
  },
  tizen: {
    profile: 'h264_high_l40_1080p30_16m',
    source:
      'Samsung Smart TV video specifications 2016 to 2018: H.264 in full HD up to level 4.1, 20 Mbit/s; level 4.2 only since 2020',
  },
  webos: {
    profile: 'h264_high_l40_1080p30_16m',
    source:
      'ETSI TS 101 154: every 25/30 Hz H.264 HDTV receiver decodes High Profile at level 4; higher only on some models',
  },
  fire_tv: {
    profile: 'h264_high_l40_1080p30_16m',
    source:
      'Amazon device specifications: the first Fire TV Sticks decode H.264 in 1080p at 30 frames, High Profile level 4',
  },
  linux: {
    profile: 'h264_main_l40_1080p30_8m',
    source:
      'Small computers often decode in software; half the bits of a television, Main Profile, is what four slow cores keep up with',
  },
  browser: {
    profile: 'h264_main_l40_1080p30_8m',
    source:
      'MDN, web video codec guide: AVC in MP4 is the format of all browsers; the machine is unknown, so as for linux',
  },
};

const NUMBERS = Object.fromEntries(
  Object.entries(PLATFORM_PROFILES).map(([platform, { profile }]) => [
    platform,
    VIDEO_PROFILES.findIndex(({ name }) => name === profile),
  ]),
) as Record<Platform, number>;

/** The profile of a platform as its index in `VIDEO_PROFILES`. */
export function profileNumber(platform: Platform): number {
  return NUMBERS[platform];
}

/** How a stored picture is turned to be shown: the numbers of EXIF, of which 5 to 8 swap width and height. */
export type PictureTurn = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** By the names of ffmpeg. A file without names gets those that browsers assume. */
export type PictureColor = { matrix: string; primaries: string; transfer: string; range: 'tv' | 'pc' };

/** The properties of a file. Sizes are as shown: after rotation, with square pixels. */
export type MediaFacts = {
  /** Content type of the container. */
  container: string;
  /** Whether a player can start before it has the whole file: the index of an MP4 is complete and comes first. */
  is_streamable: boolean;
  bytes: number;
  /** null for an image. */
  duration_ms: Milliseconds | null;
  /** When the first frame of a video appears and the last one ends; null for an image. */
  picture_ms: { from: Milliseconds; to: Milliseconds } | null;
  bit_rate: number | null;
  width: number;
  height: number;
  /** The picture stream; for an image the codec alone. */
  video: {
    codec: string;
    profile: string | null;
    level: number | null;
    pixel_format: string | null;
    /** The highest rate that the file sustains for some frames; two fields of an interlaced file are a frame. */
    frame_rate: number | null;
    /** Neither turned, nor mirrored, nor stretched. */
    is_upright: boolean;
    turn: PictureTurn;
    is_progressive: boolean;
    has_alpha: boolean;
    /** null for an image, and for RGB. */
    color: PictureColor | null;
  };
  audio: { codec: string; profile: string | null; channels: number; sample_rate: number } | null;
};

/** The treatment that makes a file fit a profile: none, another container around the same streams, or an encoding. */
export type Treatment = 'as_is' | 'remux' | 'encode';

export function treatmentOf(facts: MediaFacts, profile: VideoProfile): Treatment {
  const { video, audio } = facts;
  const fits =
    video.codec === 'h264' &&
    video.pixel_format === 'yuv420p' &&
    video.is_upright &&
    video.is_progressive &&
    video.color?.range === 'tv' &&
    !isWideColor(video.color) &&
    profile.h264Profiles.includes(video.profile ?? '') &&
    (video.level ?? Infinity) <= profile.levelMax &&
    fitsEdges(facts, profile) &&
    (video.frame_rate ?? Infinity) <= profile.frameRateMax &&
    (facts.bit_rate ?? Infinity) <= profile.bitRateMax &&
    (audio === null ||
      (audio.codec === AUDIO_LIMITS.codec &&
        audio.profile === 'LC' &&
        audio.channels <= AUDIO_LIMITS.channelsMax &&
        audio.sample_rate <= AUDIO_LIMITS.sampleRateMax));
  if (!fits) return 'encode';
  return facts.container === 'video/mp4' && facts.is_streamable ? 'as_is' : 'remux';
}

const HDR_TRANSFERS: ReadonlySet<string> = new Set(['smpte2084', 'arib-std-b67']); // PQ and HLG
const WIDE_PRIMARIES: ReadonlySet<string> = new Set(['bt2020', 'smpte431', 'smpte432']);

/** Whether the brightness goes beyond that of BT.709, so that it is tone-mapped. */
export function isHdr({ transfer }: PictureColor): boolean {
  return HDR_TRANSFERS.has(transfer);
}

/** Whether colors have to be converted to BT.709, because most screens do not know how to show them. */
export function isWideColor(color: PictureColor): boolean {
  return isHdr(color) || WIDE_PRIMARIES.has(color.primaries);
}

/** Frames per second of an encoding: each field becomes a frame if the limit allows it, else two make one. */
export function frameRateWithin({ video }: MediaFacts, { frameRateMax }: { frameRateMax: number }): number {
  const rate = video.frame_rate ?? Infinity;
  return !video.is_progressive && 2 * rate <= frameRateMax ? 2 * rate : Math.min(rate, frameRateMax);
}

/**
 * Whether the encoding for one profile also serves another, because encoding again would give the same picture: the
 * other's decoder takes it, it would get the same size and frame rate, and the bit rate stayed well below its cap.
 */
export function alsoServes(
  made: { profile: VideoProfile; bitRate: number },
  other: VideoProfile,
  source: MediaFacts,
): boolean {
  const { profile, bitRate } = made;
  const takesIt =
    profile.h264Profiles.every(name => other.h264Profiles.includes(name)) &&
    profile.levelMax <= other.levelMax &&
    profile.bitRateMax <= other.bitRateMax;
  const shapeIn = (limits: VideoProfile) => ({
    ...sizeWithin(source, limits),
    frameRate: frameRateWithin(source, limits),
  });
  const [its, others] = [shapeIn(profile), shapeIn(other)];
  return (
    takesIt &&
    its.width === others.width &&
    its.height === others.height &&
    its.frameRate === others.frameRate &&
    bitRate <= profile.bitRateMax / 2
  );
}

/** Whether an image may be shown as uploaded. */
export function stillFits(facts: MediaFacts): boolean {
  return (
    (STILL_PROFILE.contentTypes as readonly string[]).includes(facts.container) &&
    facts.video.is_upright &&
    facts.video.pixel_format !== 'cmyk' &&
    fitsEdges(facts, STILL_PROFILE) &&
    facts.bytes <= STILL_PROFILE.bytesMax
  );
}

function fitsEdges(
  { width, height }: { width: number; height: number },
  { longEdgeMax, shortEdgeMax }: { longEdgeMax: number; shortEdgeMax: number },
): boolean {
  return Math.max(width, height) <= longEdgeMax && Math.min(width, height) <= shortEdgeMax;
}

/** The size of an encoding: never larger than the source, the same shape, even edges as H.264 with 4:2:0 needs. */
export function sizeWithin(
  { width, height }: { width: number; height: number },
  limits: { longEdgeMax: number; shortEdgeMax: number },
): { width: number; height: number } {
  const scale = Math.min(
    1,
    limits.longEdgeMax / Math.max(width, height),
    limits.shortEdgeMax / Math.min(width, height),
  );
  const even = (edge: number) => Math.max(2, 2 * Math.floor((edge * scale) / 2 + 1e-9));
  return { width: even(width), height: even(height) };
}

/** Objects of storage by the name of their profile; a still has one for all. */
export type Renditions = Readonly<Record<string, { object: string; bytes: number }>>;

/** How a screen plays an object (or its address): a still with sound was made into a video. */
export function playedKind(kind: 'video' | 'still', object: string): 'video' | 'still' {
  return object.endsWith('.mp4') ? 'video' : kind;
}

/** The object that screens of a profile play. */
export function renditionFor(renditions: Renditions, profile: string): { object: string; bytes: number } | undefined {
  return renditions[profile] ?? renditions[STILL_PROFILE.name];
}
