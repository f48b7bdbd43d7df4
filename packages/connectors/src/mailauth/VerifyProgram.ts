import { DnsFailure, type DnsRecords, type Resolve } from "./BoundedResolver.ts"
import { type FromVerifier, type ToVerifier, unverified } from "./VerifierMessages.ts"
import { verifyMail } from "./VerifyMail.ts"

/**
 * The program of the process that verifies mail. It has no secrets, no environment variables and no network: the server
 * resolves names for it, and may kill it at any time.
 */

/** Sends a message. It fails only if the server has ended, which the event `disconnect` reports. */
const send = (message: FromVerifier): void => void process.send?.(message, undefined, undefined, () => undefined)

const open = new Map<number, PromiseWithResolvers<DnsRecords>>()
let lastQuery = 0

const resolve: Resolve = (name, type) => {
  const query = ++lastQuery
  const answer = Promise.withResolvers<DnsRecords>()
  open.set(query, answer)
  send({ _tag: "Query", query, name, type })
  return answer.promise
}

process.on("message", (message: ToVerifier) => {
  if (message._tag === "Verify") {
    void verifyMail(message.job, resolve).then(
      (mail) => send({ _tag: "Verified", id: message.id, mail }),
      () => send({ _tag: "Verified", id: message.id, mail: unverified })
    )
    return
  }
  const answer = open.get(message.query)
  open.delete(message.query)
  if ("records" in message) answer?.resolve(message.records)
  else answer?.reject(new DnsFailure(message.code))
})

// A signal of a terminal or a service manager reaches all processes. The server decides when this one ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined)
process.on("disconnect", () => process.exit(0))
