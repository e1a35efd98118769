/** Reads fields of saved files, and names the field that is missing or wrong. */
// @ts-check

/** A file that cannot be read as what it should be. */
export class InputFault extends Error {}

/** @typedef {Record<string, unknown>} Fields */

/**
 * @param {string} file
 * @param {unknown} value
 * @returns {Fields}
 */
export function fieldsOf(file, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputFault(`${file} must be a JSON object`);
  return /** @type {Fields} */ (value);
}

/**
 * @param {string} file
 * @param {Fields} fields
 * @param {string} name
 * @param {RegExp} [form]
 */
export function textOf(file, fields, name, form) {
  const value = fields[name];
  if (typeof value !== 'string') throw new InputFault(`${file}: ${name} must be text`);
  if (form && !form.test(value)) throw new InputFault(`${file}: ${name} has a wrong form`);
  return value;
}

/**
 * @param {string} file
 * @param {Fields} fields
 * @param {string} name
 */
export function countOf(file, fields, name) {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new InputFault(`${file}: ${name} must be a whole number, 0 or more`);
  return value;
}

/**
 * An amount of money in micro-units, without its sign: credit notes count below zero.
 * @param {string} file
 * @param {Fields} fields
 * @param {string} name
 */
export function microsOf(file, fields, name) {
  const money = fieldsOf(`${file}: ${name}`, fields[name]);
  const amount = money['amount'];
  if (typeof amount !== 'number' || !Number.isFinite(amount))
    throw new InputFault(`${file}: ${name}.amount must be a number`);
  return Math.round(Math.abs(amount) * 1_000_000);
}

/**
 * @param {string} file
 * @param {Fields} fields
 * @param {string} name
 */
export function listOf(file, fields, name) {
  const value = fields[name];
  if (!Array.isArray(value)) throw new InputFault(`${file}: ${name} must be a list`);
  return value.map((item, index) => fieldsOf(`${file}: ${name}[${index}]`, item));
}
