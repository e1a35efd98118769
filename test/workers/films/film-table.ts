/** Films as they come from phones, cameras, editors and agencies. */
import { withMatrix, type Film } from './film.ts';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
const STREAMABLE = ['-movflags', '+faststart'];
const PLAIN = [...H264, '-pix_fmt', 'yuv420p', ...STREAMABLE];
const H265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'];
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16', '-b:v', '1M'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];
const AV1 = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p'];
const AAC = ['-c:a', 'aac'];

const tags = (primaries: string, transfer: string, matrix: string, range = 'tv') => [
  '-color_primaries',
  primaries,
  '-color_trc',
  transfer,
  '-colorspace',
  matrix,
  '-color_range',
  range,
];
const BT709 = tags('bt709', 'bt709', 'bt709');
const TO_709 = 'scale=out_color_matrix=bt709:out_range=tv';
const LIGHT = 'format=gbrp,setparams=colorspace=gbr:color_primaries=bt709:color_trc=bt709:range=pc';
const WIDE = `${LIGHT},zscale=m=2020_ncl:p=2020:t=709:r=limited`;
/** White as a page in HDR shows it, at 203 candela per square meter. */
const hdr = (transfer: string, format: string) =>
  `${LIGHT},zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=2020:t=${transfer}:m=2020_ncl:npl=203:r=limited,format=${format}`;
const PQ = tags('bt2020', 'smpte2084', 'bt2020nc');
const HLG = tags('bt2020', 'arib-std-b67', 'bt2020nc');
const HDR_WHITE = { white: 243, inChromium: 'unmanaged' } as const;

const TURNED: Film[] = [
  { name: 'mirrored from left to right', marks: 'gryb', patch: withMatrix(-1, 0, 0, 1) },
  { name: 'turned upside down', marks: 'ybgr', patch: withMatrix(-1, 0, 0, -1) },
  { name: 'mirrored from top to bottom', marks: 'byrg', patch: withMatrix(1, 0, 0, -1) },
  { name: 'mirrored and lying to the left', marks: 'rbgy', shown: [180, 320], patch: withMatrix(0, 1, 1, 0) },
  { name: 'lying to the left', marks: 'bryg', shown: [180, 320], patch: withMatrix(0, 1, -1, 0) },
  { name: 'mirrored and lying to the right', marks: 'ygbr', shown: [180, 320], patch: withMatrix(0, -1, -1, 0) },
  { name: 'lying to the right', marks: 'gyrb', shown: [180, 320], patch: withMatrix(0, -1, 1, 0) },
  { name: 'with a matrix of zeros', patch: withMatrix(0, 0, 0, 0) },
  { name: 'with a slanted matrix', patch: withMatrix(0.7071, 0.7071, -0.7071, 0.7071) },
].map(film => ({ file: 'a.mp4', encoder: PLAIN, ...film }) as Film);

const COLORED: Film[] = [
  { name: 'BT.601 without a tag', file: 'a.mp4', encoder: PLAIN, isPlayedAsItIs: true },
  { name: 'BT.601 of NTSC', file: 'a.mp4', encoder: [...PLAIN, ...tags('smpte170m', 'smpte170m', 'smpte170m')] },
  { name: 'BT.601 of PAL in VP9', file: 'a.webm', encoder: [...VP9, ...tags('bt470bg', 'gamma28', 'bt470bg')] },
  {
    name: 'BT.601 in HD with a tag',
    file: 'a.mp4',
    size: [1280, 720],
    rate: 5,
    encoder: [...H264, '-pix_fmt', 'yuv422p', ...tags('smpte170m', 'smpte170m', 'smpte170m')],
  },
  { name: 'BT.709 with a tag', file: 'a.mp4', filters: TO_709, encoder: [...PLAIN, ...BT709], isPlayedAsItIs: true },
  { name: 'BT.709 with a tag, to be encoded', file: 'a.webm', filters: TO_709, encoder: [...VP9, ...BT709] },
  {
    name: 'BT.709 in HD without a tag',
    file: 'a.mp4',
    size: [1280, 720],
    rate: 5,
    filters: TO_709,
    encoder: [...H264, '-pix_fmt', 'yuv444p'],
  },
  { name: 'full range of BT.601', file: 'a.mp4', filters: 'scale=out_range=pc,format=yuvj420p', encoder: H264 },
  {
    name: 'full range of BT.709',
    file: 'a.mp4',
    filters: 'scale=out_color_matrix=bt709:out_range=pc,format=yuvj420p',
    encoder: [...H264, ...tags('bt709', 'bt709', 'bt709', 'pc')],
  },
  {
    name: 'PQ in HEVC',
    file: 'a.mp4',
    filters: hdr('smpte2084', 'yuv420p10le'),
    encoder: [...H265, ...PQ],
    white: 243,
    inChromium: false,
  },
  {
    name: 'HLG in HEVC',
    file: 'a.mov',
    filters: hdr('arib-std-b67', 'yuv420p10le'),
    encoder: [...H265, ...HLG],
    white: 243,
    inChromium: false,
  },
  {
    name: 'HLG in HEVC, lying as phones record it',
    file: 'a.mov',
    filters: hdr('arib-std-b67', 'yuv420p10le'),
    encoder: [...H265, ...HLG],
    white: 243,
    inChromium: false,
    marks: 'bryg',
    shown: [180, 320],
    patch: withMatrix(0, 1, -1, 0),
  },
  {
    name: 'PQ in VP9',
    file: 'a.webm',
    filters: hdr('smpte2084', 'yuv420p10le'),
    encoder: [...VP9, '-profile:v', '2', ...PQ],
    ...HDR_WHITE,
  },
  {
    name: 'HLG in VP9',
    file: 'a.webm',
    filters: hdr('arib-std-b67', 'yuv420p10le'),
    encoder: [...VP9, '-profile:v', '2', ...HLG],
    ...HDR_WHITE,
  },
  {
    name: 'PQ in H.264 of 8 bits',
    file: 'a.mp4',
    filters: hdr('smpte2084', 'yuv420p'),
    encoder: [...PLAIN, ...PQ],
    ...HDR_WHITE,
  },
  {
    name: 'colors of BT.2020 without HDR',
    file: 'a.mp4',
    filters: `${WIDE},format=yuv420p10le`,
    encoder: [...H265, ...tags('bt2020', 'bt709', 'bt2020nc')],
    inChromium: false,
  },
  {
    name: 'colors of P3',
    file: 'a.mov',
    filters: `${LIGHT},zscale=m=709:p=smpte432:t=709:r=limited,format=yuv444p10le`,
    encoder: [...H264, '-crf', '6', ...tags('smpte432', 'bt709', 'bt709')],
    inChromium: 'unmanaged',
  },
  {
    name: 'RGB',
    file: 'a.mp4',
    filters: 'format=gbrp',
    encoder: ['-c:v', 'libx264rgb', '-preset', 'ultrafast'],
    inChromium: 'unmanaged',
  },
];

const DEEP: Film[] = [
  { name: 'H.264 of 10 bits', file: 'a.mp4', encoder: [...H264, '-pix_fmt', 'yuv420p10le'] },
  { name: 'H.264 of 4:2:2 and 10 bits', file: 'a.mov', encoder: [...H264, '-pix_fmt', 'yuv422p10le'] },
  { name: 'HEVC', file: 'a.mp4', encoder: [...H265, '-pix_fmt', 'yuv420p'], inChromium: false },
  { name: 'HEVC of 10 bits', file: 'a.mp4', encoder: [...H265, '-pix_fmt', 'yuv420p10le'], inChromium: false },
  { name: 'VP9 of 10 bits', file: 'a.webm', encoder: [...VP9, '-profile:v', '2', '-pix_fmt', 'yuv420p10le'] },
  {
    name: 'ProRes 422',
    file: 'a.mov',
    encoder: ['-c:v', 'prores_ks', '-profile:v', '2', '-pix_fmt', 'yuv422p10le'],
    inChromium: false,
  },
  {
    name: 'ProRes 422 HQ in HD',
    file: 'a.mov',
    size: [1280, 720],
    rate: 5,
    filters: TO_709,
    encoder: ['-c:v', 'prores_ks', '-profile:v', '3', '-pix_fmt', 'yuv422p10le'],
    inChromium: false,
  },
  {
    name: 'ProRes 4444',
    file: 'a.mov',
    encoder: ['-c:v', 'prores_ks', '-profile:v', '4', '-pix_fmt', 'yuv444p10le'],
    inChromium: false,
  },
];

const ALPHA = 'format=yuva444p,colorchannelmixer=aa=0.5';
const TRANSPARENT: Film[] = [
  { name: 'VP9 with alpha', file: 'a.webm', encoder: [...VP9, '-pix_fmt', 'yuva420p'] },
  { name: 'VP8 with alpha', file: 'a.webm', encoder: [...VP8, '-auto-alt-ref', '0', '-pix_fmt', 'yuva420p'] },
  {
    name: 'ProRes 4444 with alpha',
    file: 'a.mov',
    encoder: ['-c:v', 'prores_ks', '-profile:v', '4', '-pix_fmt', 'yuva444p10le'],
    inChromium: false,
  },
  {
    name: 'QuickTime Animation with alpha',
    file: 'a.mov',
    rate: 5,
    encoder: ['-c:v', 'qtrle', '-pix_fmt', 'argb'],
    inChromium: false,
  },
].map(film => ({ filters: ALPHA, dimmed: 0.5, ...film }) as Film);

const FIELDS = 'interlace=scan=tff';
const TIMED: Film[] = [
  {
    name: 'interlaced for television, 25 frames',
    file: 'a.mp4',
    rate: 50,
    filters: FIELDS,
    encoder: [...PLAIN, '-flags', '+ilme+ildct', '-x264opts', 'tff=1'],
    rates: [50, 25, 25],
  },
  {
    name: 'interlaced, the lower field first',
    file: 'a.mp4',
    rate: 50,
    filters: 'interlace=scan=bff',
    encoder: [...PLAIN, '-flags', '+ilme+ildct', '-x264opts', 'bff=1'],
    rates: [50, 25, 25],
  },
  {
    name: 'interlaced for television, 29.97 frames',
    file: 'a.mov',
    rate: 60_000 / 1_001,
    filters: FIELDS,
    encoder: [...PLAIN, '-flags', '+ilme+ildct', '-x264opts', 'tff=1'],
    rates: [59.94, 29.97, 29.97],
  },
  {
    name: 'interlaced ProRes',
    file: 'a.mov',
    rate: 50,
    filters: FIELDS,
    encoder: ['-c:v', 'prores_ks', '-flags', '+ilme+ildct', '-pix_fmt', 'yuv422p10le'],
    rates: [50, 25, 25],
    inChromium: false,
  },
  { name: '60 frames', file: 'a.mp4', rate: 60, encoder: PLAIN, rates: [60, 30, 30] },
  { name: '50 frames', file: 'a.webm', rate: 50, encoder: VP9, rates: [50, 30, 30] },
  { name: '120 frames', file: 'a.mp4', rate: 120, encoder: PLAIN, rates: [60, 30, 30] },
  { name: '23.976 frames', file: 'a.mov', rate: 24_000 / 1_001, encoder: PLAIN, rates: [23.98, 23.98, 23.98] },
  { name: 'five frames', file: 'a.mp4', rate: 5, encoder: PLAIN, rates: [5, 5, 5], isPlayedAsItIs: true },
  {
    name: 'a second of 60 frames, then ten',
    file: 'a.mp4',
    rate: 60,
    filters: "select='if(lt(t,1),1,not(mod(n,6)))'",
    encoder: [...PLAIN, '-fps_mode', 'vfr'],
    rates: [18, 30, 30],
  },
  {
    name: 'a frame now and then',
    file: 'a.mp4',
    rate: 25,
    filters: "select='not(mod(n,7))+not(mod(n,11))'",
    encoder: [...PLAIN, '-fps_mode', 'vfr'],
    isPlayedAsItIs: true,
  },
  { name: 'two frames, three seconds each', file: 'a.webm', rate: 1 / 3, encoder: VP9 },
];

const PACKED: Film[] = [
  { name: 'an index at the end', file: 'a.mp4', encoder: [...H264, '-pix_fmt', 'yuv420p'], sound: AAC },
  {
    name: 'fragments',
    file: 'a.mp4',
    encoder: [...H264, '-pix_fmt', 'yuv420p', '-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-g', '25'],
    sound: AAC,
  },
  { name: 'QuickTime', file: 'a.mov', encoder: [...H264, '-pix_fmt', 'yuv420p'], sound: AAC },
  { name: 'sound of 5.1 channels', file: 'a.mp4', encoder: PLAIN, sound: [...AAC, '-ac', '6'] },
  { name: 'sound of one channel', file: 'a.mp4', encoder: PLAIN, sound: [...AAC, '-ac', '1'], isPlayedAsItIs: true },
  { name: 'sound in Opus', file: 'a.webm', encoder: VP9, sound: ['-c:a', 'libopus'] },
  { name: 'sound in MP3', file: 'a.mp4', encoder: PLAIN, sound: ['-c:a', 'libmp3lame'] },
  { name: 'sound as PCM of 96 kHz', file: 'a.mov', encoder: PLAIN, sound: ['-c:a', 'pcm_s24le', '-ar', '96000'] },
  { name: 'VP8', file: 'a.webm', encoder: VP8 },
  { name: 'VP9', file: 'a.webm', encoder: VP9 },
  { name: 'AV1 in MP4', file: 'a.mp4', rate: 5, filters: TO_709, encoder: [...AV1, ...BT709] },
  { name: 'AV1 in WebM', file: 'a.webm', rate: 5, filters: TO_709, encoder: [...AV1, ...BT709] },
  { name: 'MPEG-4 part 2', file: 'a.mp4', encoder: ['-c:v', 'mpeg4', '-q:v', '2'], inChromium: false },
  { name: 'MPEG-2', file: 'a.mov', encoder: ['-c:v', 'mpeg2video', '-q:v', '2'], inChromium: false },
  {
    name: 'Motion JPEG',
    file: 'a.mov',
    filters: 'scale=out_range=pc,format=yuvj422p',
    encoder: ['-c:v', 'mjpeg', '-q:v', '2'],
    inChromium: false,
  },
];

const SIZED: Film[] = [
  { name: 'odd edges in VP9', file: 'a.webm', size: [321, 181], encoder: VP9 },
  { name: 'odd edges in H.264', file: 'a.mp4', size: [161, 91], encoder: [...H264, '-pix_fmt', 'yuv444p'] },
  { name: 'a thumbnail', file: 'a.mp4', size: [64, 36], encoder: PLAIN, isPlayedAsItIs: true },
  { name: 'QHD', file: 'a.mp4', size: [2560, 1440], rate: 2, filters: TO_709, encoder: PLAIN },
  { name: 'QHD standing', file: 'a.webm', size: [1440, 2560], rate: 2, filters: TO_709, encoder: [...VP9, ...BT709] },
  { name: 'a band', file: 'a.mp4', size: [2400, 160], rate: 5, encoder: PLAIN },
  { name: 'a pillar', file: 'a.mp4', size: [160, 2400], rate: 5, filters: TO_709, encoder: PLAIN },
  { name: 'a portrait', file: 'a.mp4', size: [180, 320], encoder: PLAIN, isPlayedAsItIs: true },
  { name: 'wide pixels', file: 'a.mp4', size: [240, 180], filters: 'setsar=4/3', encoder: PLAIN, shown: [320, 180] },
  { name: 'narrow pixels', file: 'a.mp4', size: [360, 180], filters: 'setsar=8/9', encoder: PLAIN, shown: [320, 180] },
];

export const FILMS: readonly Film[] = [...TURNED, ...COLORED, ...DEEP, ...TRANSPARENT, ...TIMED, ...PACKED, ...SIZED];

/** A film of each kind, for the tests that run with every change. */
export const SAMPLED_FILMS: readonly Film[] = FILMS.filter(({ name }) =>
  [
    'mirrored from top to bottom',
    'HLG in HEVC, lying as phones record it',
    'full range of BT.709',
    'BT.601 of NTSC',
    'VP9 with alpha',
    'interlaced for television, 25 frames',
    'a second of 60 frames, then ten',
    'fragments',
  ].includes(name),
);
