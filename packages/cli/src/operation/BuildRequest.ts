import { type ListRequest, path, type Request } from "@leadloom/client"
import type { ActionContext } from "../Action.ts"
import { usageFailure } from "../Failure.ts"
import { secretOf } from "../Secret.ts"
import { readBytesData, readJsonData } from "./Data.ts"
import { optionNameOf } from "./Flags.ts"
import type { Field, Operation } from "./Operation.ts"
import type { CommonOptions } from "./Options.ts"

/** The context of a command that is derived from the contract. */
export type Context = ActionContext<CommonOptions & Readonly<Record<string, unknown>>>

/** A parsed argument or option. */
type Value = string | number | boolean | ReadonlyArray<string>

/** The values of the command line by field. */
type Values = ReadonlyMap<Field, Value>

const optionValue = async (field: Field, { connection, options, terminal }: Context): Promise<Value | undefined> => {
  if (field.name === "tenant_id") return options.tenant ?? connection.tenant
  // The parsers in `Options.ts` return these types.
  const value = options[optionNameOf(field)] as Value | undefined
  return field.secret === true && typeof value === "string" ? secretOf(terminal, undefined, value) : value
}

const valuesOf = async ({ fields }: Operation, context: Context, args: ReadonlyArray<string>): Promise<Values> => {
  const values = new Map<Field, Value>()
  let position = 0
  for (const field of fields) {
    const value = field.argument === true ? args[position++] : await optionValue(field, context)
    if (value !== undefined) values.set(field, value)
    else if (field.name === "tenant_id" && field.required === true)
      throw usageFailure("Pass --tenant <id>, or set LEADLOOM_TENANT.")
  }
  return values
}

/** Returns the values of one place by name. */
const inPlace = <Converted>(
  values: Values,
  place: Field["place"],
  convert: (value: Value) => Converted
): Readonly<Record<string, Converted>> =>
  Object.fromEntries(
    [...values].flatMap(([field, value]) => (field.place === place ? [[field.name, convert(value)]] : []))
  )

/** Returns the value of a query parameter. A list is separated by commas. */
const queryValue = (value: Value): string | number | boolean => (typeof value === "object" ? value.join() : value)

const pathOf = (operation: Operation, values: Values): string => {
  const given = inPlace(values, "path", String)
  const names = Array.from(operation.path.matchAll(/\{(?<name>\w+)\}/gu), ({ groups }) => groups?.["name"] ?? "")
  try {
    return path(operation.path.split(/\{\w+\}/u), ...names.map((name) => given[name] ?? ""))
  } catch (error) {
    throw usageFailure(`${error instanceof Error ? error.message : String(error)}.`)
  }
}

const jsonBody = async (values: Values, { options, terminal }: Context): Promise<unknown> => {
  const fields = inPlace(values, "body", (value) => value)
  if (options.data === undefined) return fields
  const data = await readJsonData(terminal, options.data)
  if (Object.keys(fields).length === 0) return data
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw usageFailure("Options can only be added to a JSON object. Pass an object as --data.")
  return { ...data, ...fields }
}

const bodyOf = async (
  { body }: Operation,
  values: Values,
  context: Context
): Promise<Pick<Request, "body" | "upload">> => {
  if (body === undefined) return {}
  if (body.type === undefined) return { body: await jsonBody(values, context) }
  const { data } = context.options
  if (data === undefined) throw usageFailure("Pass the body: --data @<path>, or --data - for standard input.")
  return { body: await readBytesData(context.terminal, data), upload: body.type }
}

/** Converts a command line to the request of its operation. */
export const buildRequest = async (
  operation: Operation,
  context: Context,
  args: ReadonlyArray<string>
): Promise<ListRequest> => {
  const { cursor, items = [], keyless, method, result } = operation
  const values = await valuesOf(operation, context, args)
  return {
    method,
    path: pathOf(operation, values),
    query: inPlace(values, "query", queryValue),
    headers: inPlace(values, "header", String),
    items,
    ...(await bodyOf(operation, values, context)),
    ...(cursor === undefined ? {} : { cursor }),
    ...(keyless === undefined ? {} : { keyless }),
    ...(result === "file" ? { file: true as const } : {})
  }
}
