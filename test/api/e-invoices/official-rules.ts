/**
 * The official rules of EN 16931, as CEN publishes them for UBL and CII (folder `cen`), run by saxon-js. Compiling one
 * of the two style sheets takes some ten seconds, so the result is kept in the folder for temporary files.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SaxonJS from 'saxon-js';

const require = createRequire(import.meta.url);
const XSLT3 = require.resolve('xslt3');
const compiled = new Map<string, string>();

/** The rules that a document breaks, as `BR-S-08: ...`. Warnings count. @throws Error for XML of neither syntax */
export function officialFaults(xml: string): string[] {
  const syntax = xml.includes('CrossIndustryInvoice') ? 'CII' : 'UBL';
  const report = SaxonJS.transform(
    { stylesheetFileName: compile(syntax), sourceText: xml, destination: 'serialized' },
    'sync',
  ).principalResult;
  if (!report.includes('<svrl:fired-rule')) throw new Error(`no rule of ${syntax} applies to this document`);
  return [...report.matchAll(/<svrl:failed-assert[^>]*? id="([^"]+)"[^]*?<svrl:text>([^]*?)<\/svrl:text>/g)].map(
    ([, rule, text]) => `${rule}: ${text!.trim()}`,
  );
}

/** The path of the compiled rules. */
function compile(syntax: 'UBL' | 'CII'): string {
  const known = compiled.get(syntax);
  if (known !== undefined) return known;
  const source = join(import.meta.dirname, `cen/EN16931-${syntax}-validation.xslt`);
  const path = join(tmpdir(), `marquee-${hash('sha256', readFileSync(source), 'hex').slice(0, 16)}.sef.json`);
  if (!existsSync(path)) {
    const unfinished = `${path}.${process.pid}`;
    execFileSync(process.execPath, [XSLT3, `-xsl:${source}`, `-export:${unfinished}`, '-nogo']);
    renameSync(unfinished, path); // another process may do the same
  }
  compiled.set(syntax, path);
  return path;
}
