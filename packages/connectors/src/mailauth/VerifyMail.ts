import type {
  ArcSet,
  DomainResult,
  VerifiedMail
} from "@leadloom/core/internal/domain/email/authentication/VerifiedMail"
import {
  type AuthenticationResult,
  authenticationResults
} from "@leadloom/core/internal/domain/email/authentication/AuthenticationResult"
import { arc } from "mailauth/lib/arc/index.js"
import { dkimVerify } from "mailauth/lib/dkim/verify.js"
import { evaluateDmarc } from "mailauth/lib/dmarc/index.js"
import { spf } from "mailauth/lib/spf/index.js"
import { boundedResolver, dnsLimits, type Resolve } from "./BoundedResolver.ts"
import { verifiableMail } from "./VerifiableMail.ts"
import type { VerificationJob } from "./VerifierMessages.ts"

/**
 * The verification of one mail with the library mailauth (decision 107). Runs in a separate process, because the time
 * for hostile mail is bounded but long. Tests: `packages/connectors/test/mailauth`.
 */

type DkimVerification = Awaited<ReturnType<typeof dkimVerify>>
type SignatureResult = DkimVerification["results"][number]
type Resolver = NonNullable<Parameters<typeof spf>[0]["resolver"]>

const resultOf = (text: string | undefined): AuthenticationResult =>
  authenticationResults.find((result) => result === text) ?? "permerror"

const nothing: DomainResult = { result: "none", domain: "" }

/**
 * Returns the result of one signature. A signature with `l=` that does not cover the end of the body proves nothing
 * about the text that a reader sees, so it does not pass (RFC 6376 section 8.2).
 */
const signatureOf = ({ signingDomain = "", status }: SignatureResult): DomainResult => ({
  result: status.result === "pass" && (status.underSized ?? 0) > 0 ? "policy" : resultOf(status.result),
  domain: signingDomain
})

/** Returns SPF for the envelope sender, and for the name of the client if the envelope is empty (RFC 7208 section 2.4). */
const verifySpf = async ({ client, sender }: VerificationJob, resolver: Resolver): Promise<DomainResult> => {
  if (client.isTrusted) return nothing
  const { domain, status } = await spf({
    ip: client.address,
    helo: client.helo,
    sender,
    resolver,
    mta: "leadloom",
    maxElapsedTime: dnsLimits.millis
  })
  return { result: resultOf(status.result), domain }
}

const instanceField = /^[^:]*:\s*i\s*=\s*(\d{1,2})\s*;/u

/** Returns the sets of a valid chain, newest first. */
const setsOf = ({ arc: data, headers }: DkimVerification): ReadonlyArray<ArcSet> => {
  const recorded = new Map<number, string>()
  for (const { key, line } of headers?.parsed ?? []) {
    if (key !== "arc-authentication-results") continue
    const text = line.toString("latin1").replace(/\r?\n/gu, "")
    const found = instanceField.exec(text)
    if (found !== null) recorded.set(Number(found[1]), text.slice(found[0].length))
  }
  const chain = data?.chain === undefined || !Array.isArray(data.chain) ? [] : data.chain
  return chain
    .map(({ "arc-seal": seal, i }) => ({
      sealer: String(seal?.parsed?.["d"]?.value ?? ""),
      results: recorded.get(i) ?? ""
    }))
    .toReversed()
}

/** Returns the result of the ARC chain. The library reports a failed DNS query as `fail`. */
const verifyArc = async (
  verification: DkimVerification,
  resolver: Resolver,
  hasFailed: () => boolean
): Promise<VerifiedMail["arc"]> => {
  if (verification.arc === undefined) return { result: "none", sets: [] }
  // The types of the library differ: `chain` is `false` without a chain.
  const { status } = await arc(verification.arc as Parameters<typeof arc>[0], { resolver })
  if (status.result === "fail" && hasFailed()) return { result: "temperror", sets: [] }
  return { result: resultOf(status.result), sets: status.result === "pass" ? setsOf(verification) : [] }
}

const passed = (found: DomainResult): ReadonlyArray<string> =>
  found.result === "pass" && found.domain !== "" ? [found.domain] : []

const verifyDmarc = async (
  { fromFields, headerFrom }: DkimVerification,
  from: { readonly spf: DomainResult; readonly dkim: ReadonlyArray<DomainResult> },
  resolver: Resolver
): Promise<DomainResult> => {
  const { response } = await evaluateDmarc({
    headerFrom,
    fromFields,
    spfDomains: [...passed(from.spf)],
    dkimDomains: from.dkim.flatMap(passed).map((domain) => ({ domain })),
    resolver
  })
  if (response === false) return { result: "permerror", domain: "" }
  const failed = response.status.result === "fail"
  // A method that could not be evaluated might have passed (RFC 7489 section 6.6.2).
  const isOpen = [from.spf, ...from.dkim].some(({ result }) => result === "temperror")
  const domain = String(response.status.header?.["from"] ?? "")
  return { result: failed && isOpen ? "temperror" : resultOf(response.status.result), domain }
}

/** Verifies a mail. Ends within `dnsLimits.millis` and the time of the computation. */
export const verifyMail = async (job: VerificationJob, resolve: Resolve): Promise<VerifiedMail> => {
  const bounded = boundedResolver(resolve)
  // The library expects mutable arrays. It does not change them.
  const resolver = bounded.resolve as Resolver
  try {
    const mail = verifiableMail(Buffer.from(job.raw.buffer, job.raw.byteOffset, job.raw.byteLength))
    const spfResult = verifySpf(job, resolver)
    if (mail === null) {
      const refused: DomainResult = { result: "policy", domain: "" }
      return { spf: await spfResult, dkim: [refused], dmarc: refused, arc: { result: "policy", sets: [] } }
    }
    const [verification, found] = await Promise.all([dkimVerify(mail.raw, { resolver }), spfResult])
    const dkim = mail.isSignable ? verification.results.map(signatureOf) : [{ ...nothing, result: "policy" } as const]
    return {
      spf: found,
      dkim: dkim.filter(({ result }) => result !== "none"),
      dmarc: await verifyDmarc(verification, { spf: found, dkim }, resolver),
      arc: mail.isSignable ? await verifyArc(verification, resolver, bounded.hasFailed) : { result: "policy", sets: [] }
    }
  } finally {
    bounded.close()
  }
}
