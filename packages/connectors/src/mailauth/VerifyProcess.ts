import { type ChildProcess, fork } from "node:child_process"
import { dirname } from "node:path"
import type { VerifiedMail } from "@leadloom/core/internal/domain/email/authentication/VerifiedMail"
import { sandboxed } from "../parse/SandboxedProgram.ts"
import { DnsFailure, recordTypes, type Resolve } from "./BoundedResolver.ts"
import type { FromVerifier, ToVerifier, VerificationJob } from "./VerifierMessages.ts"

/** The heap limit of the process in MB. A mail of 25 MB is not on the heap. */
const oldSpaceMegabytes = 128

/** Reports the end of one verification; null if the process ended first. */
type Settle = (mail: VerifiedMail | null) => void

/**
 * The process that verifies mail, started for the first mail and after each end. It keeps the server alive only while it
 * works.
 */
export class VerifyProcess {
  readonly #program: URL
  readonly #resolve: Resolve
  readonly #open = new Map<number, Settle>()
  #child: ChildProcess | null = null
  #lastId = 0

  constructor(program: URL, resolve: Resolve) {
    this.#program = program
    this.#resolve = resolve
  }

  /** Verifies a mail. Returns a function that gives up: it ends the process, because the process may not answer. */
  verify(job: VerificationJob, settle: Settle): () => void {
    const id = ++this.#lastId
    this.#open.set(id, settle)
    this.#send({ _tag: "Verify", id, job })
    return () => {
      if (this.#open.delete(id)) this.end()
    }
  }

  /** Ends the process. Its other verifications end without a result. */
  end(): void {
    const child = this.#child
    this.#child = null
    child?.kill("SIGKILL")
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const settle of open) settle(null)
  }

  #send(message: ToVerifier): void {
    const child = (this.#child ??= this.#start())
    child.ref()
    child.channel?.ref()
    // An error means that the process has ended, which the event `exit` reports.
    child.send(message, () => undefined)
  }

  #start(): ChildProcess {
    const { file, options } = sandboxed(this.#program)
    const child = fork(file, [], {
      cwd: dirname(file),
      env: {},
      execArgv: [`--max-old-space-size=${oldSpaceMegabytes}`, ...options],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
    const ended = (): void => {
      if (this.#child === child) this.end()
    }
    child.on("message", (message: FromVerifier) => this.#receive(child, message))
    child.on("error", ended)
    child.on("exit", ended)
    return child
  }

  #receive(child: ChildProcess, message: FromVerifier): void {
    if (this.#child !== child) return
    if (message._tag === "Query") return void this.#answer(child, message)
    const settle = this.#open.get(message.id)
    this.#open.delete(message.id)
    settle?.(message.mail)
    if (this.#open.size > 0) return
    child.unref()
    child.channel?.unref()
  }

  async #answer(child: ChildProcess, { name, query, type }: FromVerifier & { readonly _tag: "Query" }): Promise<void> {
    const answer = await (
      recordTypes.includes(type) ? this.#resolve(name, type) : Promise.reject(new DnsFailure("ENODATA"))
    ).then(
      (records): ToVerifier => ({ _tag: "Answer", query, records }),
      (error: unknown): ToVerifier => ({
        _tag: "Answer",
        query,
        code: error instanceof DnsFailure ? error.code : "ESERVFAIL"
      })
    )
    if (this.#child === child) child.send(answer, () => undefined)
  }
}
