#!/usr/bin/env node
/**
 * `marquee-verify`: checks a saved invoice against its proof and the published key, offline. Exits with 0 if all is
 * true, with 1 if something is not, with 2 if a file cannot be read.
 */
// @ts-check
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { InputFault } from './checked-fields.mjs';
import { checkPath, parseJson, ProofCheck } from './proof-check.mjs';

const USAGE = `marquee-verify --invoice <file> --keys <file> --proof <file> [--play <id>] [--save-path <file>]
marquee-verify --invoice <file> --keys <file> --path <file>

  --invoice    saved answer of GET /v1/invoices/{id}
  --keys       saved answer of GET /v1/proof-keys
  --proof      saved answer of GET /v1/invoices/{id}/proof
  --play       id of a play: also proves that it is in the invoice
  --save-path  where to write the inclusion path of that play
  --path       an inclusion path: proves one play without the others
`;
/** A line of a proof has some 300 bytes. */
const LINE_MAX = 65_536;

/** @param {string[]} argv */
async function run(argv) {
  const given = readOptions(argv);
  if (given === undefined) return usage();
  if (given.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { invoice, keys, proof, path, play, 'save-path': savePath } = given;
  if (invoice === undefined || keys === undefined || (proof === undefined) === (path === undefined)) return usage();
  if (path !== undefined && play !== undefined) return usage();
  if (savePath !== undefined && play === undefined) return usage();
  const [invoiceJson, keysJson] = [await readJson('invoice', invoice), await readJson('keys', keys)];
  if (path !== undefined) return tell(checkPath(await readJson('path', path), invoiceJson, keysJson));
  const check = new ProofCheck(invoiceJson, keysJson, play);
  for await (const line of linesOf(/** @type {string} */ (proof))) check.add(line);
  const verdict = check.end();
  if (savePath !== undefined && verdict.path && verdict.faults.length === 0)
    await writeFile(savePath, `${JSON.stringify(verdict.path, undefined, 2)}\n`);
  return tell(verdict);
}

/** @param {string[]} args */
function readOptions(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
  const options = { help, invoice: text, keys: text, proof: text, path: text, play: text, 'save-path': text };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    return undefined;
  }
}

function usage() {
  process.stderr.write(USAGE);
  return 2;
}

/** @param {import('./proof-check.mjs').Verdict} verdict */
function tell({ name, facts, faults }) {
  const lines = faults.length === 0 ? facts.map(fact => `ok     ${fact}`) : faults.map(fault => `FAULT  ${fault}`);
  process.stdout.write(`${[name, ...lines].join('\n')}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** @param {string} name @param {string} path */
async function readJson(name, path) {
  return parseJson(name, await readFile(path, 'utf8'));
}

/** @param {string} path */
async function* linesOf(path) {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = /** @type {string} */ (lines.pop());
    if (rest.length > LINE_MAX) throw new InputFault(`proof: a line is longer than ${LINE_MAX} characters`);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof InputFault) && !isFileError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

/** @param {unknown} error @returns {error is Error} */
function isFileError(error) {
  return error instanceof Error && 'syscall' in error;
}
