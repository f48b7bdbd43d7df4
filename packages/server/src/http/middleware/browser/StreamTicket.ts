import type { GateDeclaration } from "@leadloom/api/internal/Access"
import type { ContractOperation } from "@leadloom/core/internal/domain/access/Operations"
import { redeemStreamTicket } from "@leadloom/core/internal/workflow/access/StreamTickets"
import { Effect } from "effect"
import { Headers, HttpRouter, HttpServerRequest } from "effect/http"
import { actingUserHeader } from "../ActingUser.ts"

/** The only operation that accepts a ticket. */
const ticketed: ContractOperation = "eventFeed.stream"

/** Returns the ticket in the query of a request; null for a request that has none or must not use one. */
export const ticketOf = ({ name }: Pick<GateDeclaration, "name">) =>
  name === ticketed
    ? Effect.map(HttpServerRequest.ParsedSearchParams, ({ ticket }) => (typeof ticket === "string" ? ticket : null))
    : Effect.succeed(null)

/**
 * Uses a ticket up. Returns its credential, and the request with the headers that the ticket replaces. All further
 * checks and the handler treat it like a request with these headers.
 */
export const redeemTicket = Effect.fnUntraced(function* (ticket: string) {
  const { tenant_id: tenantId = "" } = yield* HttpRouter.params
  const { actingUser, credential } = yield* redeemStreamTicket(tenantId, ticket)
  const request = yield* HttpServerRequest.HttpServerRequest
  const replaced = { authorization: `Bearer ${credential}`, [actingUserHeader]: actingUser ?? undefined }
  return { credential, request: request.modify({ headers: Headers.setAll(request.headers, replaced) }) }
})
