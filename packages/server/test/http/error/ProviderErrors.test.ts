import { notConfigured, type ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import * as Failure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { expect, it } from "vitest"
import { toWire } from "../../../src/http/error/errors.ts"

const cases: ReadonlyArray<readonly [failure: ProviderFailure, code: string, message: string]> = [
  [Failure.refused("crm", "422 no"), "PROVIDER_ERROR", "The CRM rejected the request: 422 no"],
  [Failure.gone("payments", "customer"), "PROVIDER_ERROR", "The payment provider no longer has this customer."],
  [Failure.unavailable("mail", "503"), "PROVIDER_ERROR", "The request to the mail provider failed: 503. Try again."],
  [
    Failure.outcomeUnknown("payments", "500"),
    "PROVIDER_ERROR",
    "It is unknown whether the payment provider carried out the request: 500. Repeat the request with the same Idempotency-Key; it is carried out only once."
  ],
  [
    Failure.outcomeUnknown("crm", "500"),
    "PROVIDER_ERROR",
    "It is unknown whether the CRM carried out the request: 500. Check the CRM before you repeat the request."
  ],
  [Failure.signedOut("mail", "401"), "PROVIDER_ERROR", "The mail provider rejected the access of this server: 401"],
  [
    notConfigured("payments", "LEADLOOM_X"),
    "SERVICE_UNAVAILABLE",
    "Payments are disabled on this server: LEADLOOM_X is not set. Change plans with POST /api/v1/billing/activate"
  ],
  [
    notConfigured("crm", "LEADLOOM_X"),
    "SERVICE_UNAVAILABLE",
    "The CRM is not configured on this server: LEADLOOM_X is not set."
  ],
  [
    notConfigured("crm_proofs", "LEADLOOM_X"),
    "SERVICE_UNAVAILABLE",
    "User proofs of the CRM cannot be verified on this server: LEADLOOM_X is not set."
  ],
  [
    notConfigured("mail", "LEADLOOM_X", "google"),
    "SERVICE_UNAVAILABLE",
    "Accounts of the google family cannot be connected on this server: LEADLOOM_X is not set."
  ]
]

it.each(cases)("maps %o to its wire error", (failure, code, message) => {
  expect(toWire(failure).error).toMatchObject({ code, message })
})
