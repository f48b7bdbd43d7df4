import type { VerifiedMail } from "@leadloom/core/internal/domain/email/authentication/VerifiedMail"
import { MailVerifier } from "@leadloom/core/internal/port/provider/MailVerifier"
import { Effect, Layer } from "effect"
import { programBeside } from "../parse/SandboxedProgram.ts"
import { log } from "../provider/LogEvents.ts"
import type { Resolve } from "./BoundedResolver.ts"
import { cachedResolver, systemResolver } from "./DnsCache.ts"
import { unverified, type VerificationJob } from "./VerifierMessages.ts"
import { VerifyProcess } from "./VerifyProcess.ts"

/** The time in milliseconds after which a mail is accepted without a result. The process is then replaced. */
export const verificationMillis = 8_000

/** Options of the verification. */
export interface VerifierOptions {
  /** Default: the DNS servers of the system, with a cache. */
  readonly resolve?: Resolve
  /** The program of the process. Default: the one of this package. */
  readonly program?: URL | undefined
  readonly limitMillis?: number
}

/** Verifies a mail once. Returns null if the process ends first. */
const attempt = (process: VerifyProcess, job: VerificationJob): Effect.Effect<VerifiedMail | null> =>
  Effect.callback((resume) => {
    const giveUp = process.verify(job, (mail) => resume(Effect.succeed(mail)))
    return Effect.sync(giveUp)
  })

/**
 * The `MailVerifier` of the server. One child process computes; the server resolves names for it. A mail without a
 * result in time gets `temperror`, and its process ends. The other mails of the process are verified once more in a new
 * one, within their own time.
 */
export const layerOf = ({
  limitMillis = verificationMillis,
  program = programBeside(import.meta.url, "VerifyProgram"),
  resolve = cachedResolver(systemResolver())
}: VerifierOptions = {}): Layer.Layer<MailVerifier> =>
  Layer.effect(
    MailVerifier,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new VerifyProcess(program, resolve)),
        (process) => Effect.sync(() => process.end())
      ),
      (process): MailVerifier["Service"] => ({
        verify: (raw, { client, sender }) =>
          attempt(process, { raw, sender, client }).pipe(
            // Another mail may have ended the process.
            Effect.flatMap((mail) =>
              mail === null ? attempt(process, { raw, sender, client }) : Effect.succeed(mail)
            ),
            Effect.timeoutOrElse({ duration: limitMillis, orElse: () => Effect.succeed(null) }),
            Effect.tap((mail) => (mail === null ? log("mail.unverified", { bytes: raw.length }) : Effect.void)),
            Effect.map((mail) => ({ _tag: "Verified" as const, mail: mail ?? unverified, isRelayed: client.isTrusted }))
          )
      })
    )
  )

/** Verifies mail with the DNS servers of the system. */
export const layer: Layer.Layer<MailVerifier> = layerOf()
