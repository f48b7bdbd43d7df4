/**
 * The commands that are derived from the contract. `generated` contains the list of them; this folder
 * turns each entry into a command, its options into a request, and the response into output. Commands with their
 * own behaviour are in `command`, and the texts for people are in `format`. Tests: `packages/cli/test/operation`.
 */
import type { CommandCredential } from "../Connection.ts"

/** A value of a request: a parameter, a header or a top-level field of the body. */
export interface Field {
  /** The name in the request. */
  readonly name: string
  readonly place: "path" | "query" | "header" | "body"
  readonly type: "text" | "number" | "boolean" | "list"
  /** The name of the option, if it differs from the name in the request. */
  readonly option?: string
  readonly about: string
  /** The value is an argument of the command instead of an option. */
  readonly argument?: true
  /** The command fails without the value. The server reports missing fields of the body. */
  readonly required?: true
  /** Only a file or standard input may contain the value. */
  readonly secret?: true
  readonly choices?: ReadonlyArray<string>
  /** The smallest and the largest permitted integer. */
  readonly range?: readonly [min: number, max: number]
}

/** The body of a request. */
export interface Body {
  /** The media type of a body that is sent unchanged. Without it, the body is JSON. */
  readonly type?: string
  /** The fields that are not scalar, so that only `--data` can contain them. */
  readonly more?: ReadonlyArray<string>
}

/** An operation of the contract with its command. */
export interface Operation {
  readonly id: string
  /** The words of the command: `leads list`. */
  readonly command: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly about: string
  /** An example of the command line, with at most 80 columns per line. */
  readonly example: string
  readonly fields: ReadonlyArray<Field>
  readonly body?: Body
  readonly result: "json" | "file" | "events"
  /**
   * The credential that the operation needs. `tenant`: a key of the tenant, which may name a user. `integration`: a key
   * of the tenant without a user. `operator`: API keys of tenants are not permitted. `none`: the operation is public, or
   * has its own header for a signature.
   */
  readonly credential: CommandCredential
  /** The fields of a page that contain the items of a list. */
  readonly items?: ReadonlyArray<string>
  /** The parameter with the position of the page, if it is not `cursor`. */
  readonly cursor?: "after"
  /** The operation accepts an idempotency key. */
  readonly idempotent?: true
  /** The operation accepts the version that the caller has read. */
  readonly versioned?: true
  /** The reason why the client sends no idempotency key by default. */
  readonly keyless?: "read-only" | "natural-key" | "not-accepted"
}
