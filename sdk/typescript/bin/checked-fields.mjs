/** Reads fields of saved files, and names the field that is missing or wrong. */
// @ts-check

/** A file with invalid content. */
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
 * An amount of money in micro-units. @param sign -1 for a credit note, whose amounts are negative
 * @param {string} file
 * @param {Fields} fields
 * @param {string} name
 * @param {1 | -1} sign
 */
export function microsOf(file, fields, name, sign) {
  const money = fieldsOf(`${file}: ${name}`, fields[name]);
  const amount = money['amount'];
  if (typeof amount !== 'number' || !Number.isFinite(amount))
    throw new InputFault(`${file}: ${name}.amount must be a number`);
  return Math.round(sign * amount * 1_000_000);
}

/**
 * An amount that has the sign of its document.
 * @param {string} file
 * @param {Fields} fields
 * @param {string} name
 * @param {1 | -1} sign
 */
export function dueOf(file, fields, name, sign) {
  const micros = microsOf(file, fields, name, sign);
  if (micros < 0) throw new InputFault(`${file}: ${name}.amount has the wrong sign`);
  return micros;
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
