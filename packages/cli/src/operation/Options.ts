import { type Command, InvalidArgumentError, Option } from "commander"
import { wholeNumber } from "../WholeNumber.ts"
import { flagOf } from "./Flags.ts"
import type { Field, Operation } from "./Operation.ts"

const finiteNumber = (text: string): number => {
  const value = Number(text)
  if (text.trim() !== "" && Number.isFinite(value)) return value
  throw new InvalidArgumentError("Must be a number.")
}

/** Creates the parser of an option that may be repeated. */
const collect =
  (choices: ReadonlyArray<string> | undefined) =>
  (text: string, previous: ReadonlyArray<string> = []): ReadonlyArray<string> => {
    if (choices?.includes(text) === false) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`)
    return [...previous, text]
  }

const placeholderOf = ({ choices, name, secret, type }: Field): string => {
  if (secret === true) return "<path>"
  if (type === "number") return "<number>"
  if (choices !== undefined) return "<choice>"
  return name.endsWith("_id") ? "<id>" : "<text>"
}

const valueOption = (field: Field): Option => {
  const { about, choices, range, secret, type } = field
  const repeats = type === "list" ? "; repeat the option for several values" : ""
  const source = secret === true ? "; the file contains only this value, - is standard input" : ""
  const option = new Option(`${flagOf(field)} ${placeholderOf(field)}`, `${about}${repeats}${source}`)
  if (field.required === true && field.name !== "tenant_id") option.makeOptionMandatory()
  if (choices !== undefined) option.choices([...choices])
  if (type === "number") option.argParser(range === undefined ? finiteNumber : wholeNumber(...range))
  if (type === "list") option.argParser(collect(choices))
  return option
}

/**
 * Adds the option of a field. A boolean has a second option for `false`, which the help mentions in the description.
 */
const addField = (command: Command, field: Field): Command => {
  if (field.type !== "boolean") return command.addOption(valueOption(field))
  const flag = flagOf(field)
  const negated = flag.replace("--", "--no-")
  return command
    .addOption(new Option(flag, `${field.about} (${negated}: false)`))
    .addOption(new Option(negated).hideHelp())
}

const dataAbout = ({ body }: Operation): string => {
  if (body?.type !== undefined) return `the body (${body.type}): @<path>, or - for standard input`
  const rest = body?.more === undefined ? "" : `; the only way to set ${body.more.join(", ")}`
  return `JSON body: @<path>, - for standard input, or the JSON itself; options replace its fields${rest}`
}

/** Adds the arguments and options of an operation to its command. */
export const addOptions = (command: Command, operation: Operation): Command => {
  const { body, fields, idempotent, items, result, versioned } = operation
  for (const field of fields) {
    const name = field.name.replaceAll("_", "-")
    if (field.argument === true) command.argument(field.required === true ? `<${name}>` : `[${name}]`, field.about)
    else addField(command, field)
  }
  if (body !== undefined) command.option("--data <data>", dataAbout(operation))
  if (items !== undefined) command.option("--all", "read all pages")
  if (result === "file") command.option("--out <path>", "file for the response (default: standard output)")
  if (versioned === true) {
    const version = wholeNumber(1, Number.MAX_SAFE_INTEGER)
    command.option("--if-version <number>", "change only this version (default: any version)", version)
  }
  if (idempotent === true) {
    command.option("--idempotency-key <key>", "the server carries out repeated commands with this key once")
  }
  return command
}

/** The values of the options that do not depend on the operation. */
export interface CommonOptions {
  readonly tenant?: string
  readonly data?: string
  readonly all?: boolean
  readonly out?: string
  readonly ifVersion?: number
  readonly idempotencyKey?: string
}
