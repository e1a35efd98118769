/**
 * Figures over time, drawn by uPlot, which takes thousands of points in milliseconds. Colors come from the tokens of
 * the theme. The figures at a point of time are shown beside the pointer. The page has the sums as text (`label`),
 * since nothing in a canvas can be read out.
 */
import { useEffect, useRef, useState, type ReactElement } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { hourOfDay } from '../../text/format.ts';
import { marksOf, topOf } from './axis.ts';

type Series = { label: string; values: readonly (number | null)[]; kind: 'area' | 'line' };
export type TimeChartOptions = {
  label: string;
  /** Seconds since 1970, in order. */
  times: readonly number[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Writes a figure beside the pointer, where there is room for all of it; absent: as at the axis. */
  formatExact?: (value: number) => string;
  /** Writes a time (ms since 1970) under the axis; absent: its hour and minute. */
  formatTime?: (at: number) => string;
  /** The same beside the pointer; absent: as under the axis. */
  formatPoint?: (at: number) => string;
};

const HEIGHT_PX = 220;
const AXIS_PX = 64;
/** Height of the times below. */
const TIMES_PX = 30;
/** Room of a time under the axis. */
const LABEL_PX = 80;

export function TimeChart(options: TimeChartOptions): ReactElement {
  const { label, times, series, format, formatTime = hourOfDay } = options;
  const [at, setAt] = useState<number | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const shape = series.map(one => `${one.label} ${one.kind}`).join('|');
  useEffect(() => {
    const draw = () => {
      plot.current?.destroy();
      plot.current = new UPlot(
        optionsOf(frame.current!, series, { format, formatTime, onPoint: setAt }),
        dataOf(times, series),
        frame.current!,
      );
    };
    const fit = () => plot.current?.setSize({ width: frame.current!.clientWidth, height: HEIGHT_PX });
    draw();
    const observer = new ResizeObserver(fit);
    observer.observe(frame.current!);
    addEventListener('themechange', draw);
    return () => {
      removeEventListener('themechange', draw);
      observer.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
    // The plot is only recreated for other series; new values update the existing one.
  }, [shape]);
  useEffect(() => plot.current?.setData(dataOf(times, series)), [times, series]);
  return (
    <div className="chart" role="img" aria-label={label}>
      <div ref={frame} className="chart-plot" />
      {at !== null && plot.current && <Figures {...options} plot={plot.current} at={at} />}
    </div>
  );
}

/** The figures at the point of time that is pointed at, on the side of it that has room. */
function Figures({ plot, at, ...options }: TimeChartOptions & { plot: UPlot; at: number }): ReactElement | null {
  const { times, series, format, formatExact = format } = options;
  const { formatTime = hourOfDay, formatPoint = formatTime } = options;
  const time = times[at];
  if (time === undefined) return null;
  const x = plot.valToPos(time, 'x');
  const { offsetLeft, clientWidth } = plot.over;
  const side = x > clientWidth / 2 ? { right: clientWidth - x } : { left: offsetLeft + x };
  return (
    <dl className="chart-figures" style={side}>
      <dt>{formatPoint(time * 1_000)}</dt>
      {series.map(({ label, values }) => {
        const value = values[at];
        return typeof value === 'number' && <dd key={label}>{`${label}: ${formatExact(value)}`}</dd>;
      })}
    </dl>
  );
}

function dataOf(times: readonly number[], series: readonly Series[]): UPlot.AlignedData {
  return [[...times], ...series.map(one => [...one.values])];
}

type Writers = {
  format: (value: number) => string;
  formatTime: (at: number) => string;
  /** With the place of the time that is pointed at, or null. */
  onPoint: (at: number | null) => void;
};

function optionsOf(
  frame: HTMLElement,
  series: readonly Series[],
  { format, formatTime, onPoint }: Writers,
): UPlot.Options {
  const style = getComputedStyle(frame);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    font: `12px ${style.fontFamily}`,
    stroke: token('--text-muted'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
  };
  // A single value has no line.
  const points = { show: (plot: UPlot) => plot.data[0].length === 1 };
  return {
    width: frame.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: { y: { range: (_plot, _low, high) => [0, topOf(high)] } },
    axes: [
      {
        ...axis,
        space: LABEL_PX,
        size: TIMES_PX,
        values: (_plot, times) => marksOf(times, time => formatTime(time * 1_000)),
      },
      { ...axis, size: AXIS_PX, values: (_plot, values) => marksOf(values, format) },
    ],
    series: [
      {},
      ...series.map(({ label, kind }) =>
        kind === 'area'
          ? { label, stroke: token('--data'), fill: token('--data-soft'), width: 2, points }
          : { label, stroke: token('--text-muted'), dash: [5, 4], width: 1.5, points },
      ),
    ],
  };
}
