import type { SmtpClient, VerifiedMail } from "@leadloom/core/internal/domain/email/authentication/VerifiedMail"
import type { DnsRecords, RecordType } from "./BoundedResolver.ts"

/** A mail and its delivery. */
export interface VerificationJob {
  readonly raw: Uint8Array
  readonly sender: string
  readonly client: SmtpClient
}

/** The result of all methods if a mail could not be verified for a temporary reason. */
export const unverified: VerifiedMail = {
  spf: { result: "temperror", domain: "" },
  dkim: [{ result: "temperror", domain: "" }],
  dmarc: { result: "temperror", domain: "" },
  arc: { result: "temperror", sets: [] }
}

/** A message of the server to the process that verifies mail. */
export type ToVerifier =
  | { readonly _tag: "Verify"; readonly id: number; readonly job: VerificationJob }
  | { readonly _tag: "Answer"; readonly query: number; readonly records: DnsRecords }
  | { readonly _tag: "Answer"; readonly query: number; readonly code: string }

/** A message of that process to the server. */
export type FromVerifier =
  | { readonly _tag: "Query"; readonly query: number; readonly name: string; readonly type: RecordType }
  | { readonly _tag: "Verified"; readonly id: number; readonly mail: VerifiedMail }
