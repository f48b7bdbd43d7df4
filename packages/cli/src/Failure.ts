import { LeadloomError } from "@leadloom/client"
import { CommanderError } from "commander"
import { exitCodeOf, exitCodes } from "./ExitCode.ts"

/** Something that went wrong, as the user is told of it. */
export interface Explanation {
  readonly exitCode: number
  readonly code: string
  /** One line: what happened and what to do next. */
  readonly message: string
  readonly details: unknown
  readonly requestId: string | null
}

/** A failure that the command line itself noticed. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed"
  readonly exitCode: number
  readonly code: string

  constructor(exitCode: number, code: string, message: string) {
    super(message)
    this.exitCode = exitCode
    this.code = code
  }
}

/** The command was not written as it has to be. */
export const usageFailure = (message: string): CommandFailed => new CommandFailed(exitCodes.usage, "USAGE", message)

const nextStep = (error: LeadloomError, url: string): string => {
  switch (error.code) {
    case "NETWORK_ERROR":
      return "Start the server with leadloom serve, or name another one with --url or LEADLOOM_URL."
    case "TIMEOUT":
      return "Look at the server's log, or try again."
    case "UNAUTHORIZED":
      return `Check that the key belongs to ${url}: --admin-key, --api-key, LEADLOOM_ADMIN_KEY or LEADLOOM_API_KEY.`
    case "FORBIDDEN":
      return "Operating and configuring tenants needs the admin key."
    case "NOT_FOUND":
      return "See what there is with leadloom tenants list."
    case "RATE_LIMITED":
      return "Wait and run this again."
    case "INTERNAL":
      return "The server's log has the details under this request id."
    default:
      return ""
  }
}

/** Whole sentences, one after the other. */
const sentences = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join(" ")

/** Turns whatever was thrown into words and an exit code. */
export const explain = (error: unknown, url: string): Explanation => {
  const none = { details: null, requestId: null }
  if (error instanceof LeadloomError) {
    const { status, code, details, requestId } = error
    const exitCode = code === "UNEXPECTED_RESPONSE" ? exitCodes.unreachable : exitCodeOf(status)
    return { exitCode, code, message: sentences(error.message, nextStep(error, url)), details, requestId }
  }
  if (error instanceof CommandFailed) {
    return { exitCode: error.exitCode, code: error.code, message: error.message, ...none }
  }
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /u, "")
    return { exitCode: exitCodes.usage, code: "USAGE", message: `${message} See leadloom --help.`, ...none }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { exitCode: exitCodes.failed, code: "FAILED", message, ...none }
}
