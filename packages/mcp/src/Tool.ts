import type { Leadloom } from "@leadloom/client"
import { Result, Schema, SchemaIssue } from "effect"
import type { Output, Page } from "./Result.ts"
import { formatFailure, ToolFailed } from "./ToolFailed.ts"

/**
 * The rights that a tool needs. `read`, `messages` and `pipeline` are the scopes of API keys. Only managers and the
 * operator have `manage`.
 */
export const rights = ["read", "messages", "pipeline", "manage"] as const

/** A right that a tool needs. */
export type Right = (typeof rights)[number]

/** The API as one call of a tool sees it. */
export interface ToolContext {
  readonly client: Leadloom
  readonly tenantId: string
}

/** The hints of a tool for the MCP client (`ToolAnnotations` of the protocol). */
export interface Hints {
  readonly readOnlyHint: boolean
  /** False if the tool only adds. */
  readonly destructiveHint: boolean
  /** True if a repeated call with the same arguments has no further effect. */
  readonly idempotentHint: boolean
  /** True if the tool reaches people or systems outside Leadloom. */
  readonly openWorldHint: boolean
}

/** The hints of a tool that changes nothing. */
export const readOnly: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false
}

/** The parts of a tool that clients see or that do not depend on its arguments. */
interface About {
  readonly name: string
  readonly title: string
  /** The purpose of the tool, its result and the next step, for the language model. */
  readonly description: string
  readonly rights: ReadonlyArray<Right>
  readonly hints: Hints
  readonly output: Output
}

/** A tool. The type of its arguments is erased. */
export interface Tool extends About {
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Validates the arguments and runs the tool. Rejects with `ToolFailed` for invalid arguments. */
  readonly call: (args: unknown, context: ToolContext) => Promise<Page>
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "This argument is required."
    return issue._tag === "UnexpectedKey" ? "Unknown argument." : SchemaIssue.defaultLeafHook(issue)
  }
})

const invalidArguments = ({ issue }: Schema.SchemaError): ToolFailed => {
  const issues = format(issue).issues.map(({ message, path = [] }) => ({ path: path.join("."), message }))
  return new ToolFailed(formatFailure("INVALID_ARGUMENTS", "The arguments do not match the input schema.", issues))
}

/**
 * Defines a tool. `run` sends requests of the API; errors of the client pass through. Unknown arguments are rejected,
 * so that a misspelled filter does not widen a result.
 */
export const defineTool = <Input>({
  input,
  run,
  ...about
}: About & {
  readonly input: Schema.Codec<Input, unknown>
  readonly run: (input: Input, context: ToolContext) => Promise<Page>
}): Tool => {
  const decode = Schema.decodeUnknownResult(input, { errors: "all", onExcessProperty: "error" })
  return {
    ...about,
    inputSchema: Schema.toJsonSchemaDocument(input, { onExcessProperty: "error" }).schema,
    call: async (args, context) => {
      const decoded = decode(args)
      if (Result.isFailure(decoded)) throw invalidArguments(decoded.failure)
      return run(decoded.success, context)
    }
  }
}
