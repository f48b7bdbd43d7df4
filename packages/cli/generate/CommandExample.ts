/** Converts the example of an operation to a command line. */
import { fileType } from "../../client/generate/Document.ts"
import { type Method, successOf } from "../../client/generate/Methods.ts"
import { flagOf } from "../src/operation/Flags.ts"
import type { Body, Field } from "../src/operation/Operation.ts"

/** The length of a line of an example in characters. The help adds the indentation and the backslash. */
const maxLine = 72
/** The longest JSON body that is shown in an example. Examples with a longer one name a file. */
const maxInlineBody = 60

/** Quotes a value for a shell. Shows the first `maxLength` characters of its first line. */
const quoted = (text: string, maxLength = maxLine): string => {
  const [line = ""] = text.split("\n")
  const short = line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
  return /^[\w@%+=:,./-]+$/u.test(short) ? short : `'${short.replaceAll("'", "’")}'`
}

const optionText = (field: Field, value: unknown): ReadonlyArray<string> => {
  const flag = flagOf(field)
  if (field.secret === true) return [`${flag} secret.txt`]
  if (field.type === "boolean") return [value === true ? flag : flag.replace("--", "--no-")]
  return (Array.isArray(value) ? value : [value]).map(
    (one) => `${flag} ${quoted(String(one), maxLine - 4 - flag.length)}`
  )
}

const dataText = (body: Body | undefined, rest: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  if (body?.type !== undefined) return [`--data @${body.type === "application/x-tar" ? "archive.tar" : "body.txt"}`]
  if (Object.keys(rest).length === 0) return []
  const json = JSON.stringify(rest)
  return [json.length > maxInlineBody ? "--data @body.json" : `--data ${quoted(json)}`]
}

/** The names of downloaded files by media type. */
const fileNames: Readonly<Record<string, string>> = {
  "application/octet-stream": "evaluations.csv",
  "application/x-tar": "export.tar",
  "audio/mpeg": "recording.mp3",
  "message/rfc822": "message.eml"
}

const outText = (method: Method): ReadonlyArray<string> => {
  const name = fileNames[fileType(successOf(method)) ?? ""]
  return name === undefined ? [] : [`--out ${name}`]
}

/** Joins the parts of a command line. A backslash continues it on the next line. */
const wrapped = (parts: ReadonlyArray<string>): string =>
  parts.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf("\n") + 1)
    return `${text}${last.length + part.length > maxLine ? " \\\n   " : ""} ${part}`
  })

/** Returns the values of the example: parameters, and the top-level fields of the body. */
const valuesOf = ({ operation }: Method): Readonly<Record<string, unknown>> => {
  const body = operation.requestBody?.content?.["application/json"]?.example
  const parameters = (operation.parameters ?? []).flatMap(({ example, name }) =>
    example === undefined ? [] : [[name, example] as const]
  )
  return { ...Object(body), ...Object.fromEntries(parameters) }
}

/** Returns the example of a command. Required values without an example are shown by name. */
export const exampleOf = (
  method: Method,
  command: string,
  fields: ReadonlyArray<Field>,
  body: Body | undefined
): string => {
  const values = valuesOf(method)
  const isShown = (field: Field) => values[field.name] !== undefined || field.required === true
  const valueOf = ({ name }: Field) => values[name] ?? (name === "tenant_id" ? "demo" : `the-${name}`)
  const own = fields.filter(isShown)
  const names = new Set(fields.map(({ name }) => name))
  const rest = Object.fromEntries(Object.entries(values).filter(([name, value]) => !names.has(name) && value !== null))
  return wrapped([
    "leadloom",
    command,
    ...own.filter(({ argument }) => argument === true).map((field) => quoted(String(valueOf(field)))),
    ...own.filter(({ argument }) => argument !== true).flatMap((field) => optionText(field, valueOf(field))),
    ...dataText(body, rest),
    ...outText(method)
  ])
}
