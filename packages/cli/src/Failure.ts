import { LeadloomError } from "@leadloom/client"
import { CommanderError } from "commander"
import { exitCodeOf, exitCodes } from "./ExitCode.ts"

/** A failure as the CLI reports it. */
export interface Explanation {
  readonly exitCode: number
  readonly code: string
  /** One line: the failure and the next step. */
  readonly message: string
  readonly details: unknown
  readonly requestId: string | null
}

/** A failure that the CLI itself detects. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed"
  readonly exitCode: number
  readonly code: string
  /** Values for `--json`. A list of paths and messages is also written as text. */
  readonly details: unknown

  constructor(exitCode: number, code: string, message: string, details: unknown = null) {
    super(message)
    this.exitCode = exitCode
    this.code = code
    this.details = details
  }
}

/** Creates the failure for an invalid command line. */
export const usageFailure = (message: string): CommandFailed => new CommandFailed(exitCodes.usage, "USAGE", message)

const nextStep = (error: LeadloomError, url: string): string => {
  switch (error.code) {
    case "NETWORK_ERROR":
      return "Start the server with leadloom serve, or set another URL with --url or LEADLOOM_URL."
    case "TIMEOUT":
      return "Check the server's log, or try again."
    case "UNAUTHORIZED":
      return `Check that the key belongs to ${url}: --admin-key-file, --api-key-file, LEADLOOM_ADMIN_KEY or LEADLOOM_API_KEY.`
    case "FORBIDDEN":
      return "This operation needs the admin key."
    case "NOT_FOUND":
      return "To list the tenants, run: leadloom tenants list."
    case "PRECONDITION_FAILED":
      return "Show the differences with leadloom config diff, then save with the new version."
    case "RATE_LIMITED":
      return "Wait, then run the command again."
    case "INTERNAL":
      return "Search the server's log for this request id."
    default:
      return ""
  }
}

/** Joins the sentences that are not empty. */
const sentences = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(" ")

/**
 * Converts any thrown value to an error code, a message and an exit code.
 * @param command the command line that shows the help, for errors in the usage
 */
export const explain = (error: unknown, url: string, command = "leadloom"): Explanation => {
  const none = { details: null, requestId: null }
  if (error instanceof LeadloomError) {
    const { status, code, details, requestId } = error
    const exitCode = code === "UNEXPECTED_RESPONSE" ? exitCodes.unreachable : exitCodeOf(status)
    return { exitCode, code, message: sentences(error.message, nextStep(error, url)), details, requestId }
  }
  if (error instanceof CommandFailed) {
    const { code, details, exitCode, message } = error
    return { exitCode, code, message, details, requestId: null }
  }
  if (error instanceof CommanderError) {
    const sentence = error.message.replace(/^error: /u, "").replaceAll(/\.?\n\((?<hint>.*)\)$/gu, ". $<hint>")
    const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/(?<![.?])$/u, ".")}`
    return { exitCode: exitCodes.usage, code: "USAGE", message: `${message} See ${command} --help.`, ...none }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { exitCode: exitCodes.failed, code: "FAILED", message, ...none }
}
