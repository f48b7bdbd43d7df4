import type { AuditPage, Erasure, ErasurePage, GuardAudit, GuardrailSet, GuardStats, Usage } from "@leadloom/client"
import { card, joined, listing, minute } from "./Text.ts"

/** Formats the enabled guardrails in the order of their evaluation. */
export const formatGuardrails = ({ guardrails, version }: GuardrailSet): string =>
  listing(
    `No guardrails are enabled in version ${version} of the configuration.`,
    [["GUARDRAIL", 30], ["KIND", 30], ["OUTCOME"]],
    guardrails.map((guardrail) => [
      guardrail.id,
      guardrail.kind,
      "outcome" in guardrail ? guardrail.outcome?.replaceAll("_", " ") : null
    ])
  )

/** Formats the results of guardrails with their reasons. */
export const formatEvaluations = ({ evaluations }: GuardAudit): string =>
  listing(
    "No evaluations.",
    [["TIME (UTC)", 16], ["GUARDRAIL", 16], ["OUTCOME", 16], ["REASON"]],
    evaluations.map(({ created_at, guardrail_id, outcome, reason }) => [
      minute(created_at),
      guardrail_id,
      outcome.replaceAll("_", " "),
      reason
    ])
  )

/** Formats the counts of each guardrail. */
export const formatGuardStats = ({ evaluations, from, guardrails, outcomes, to }: GuardStats): string =>
  `${listing(
    "No guardrails.",
    [["GUARDRAIL", 30], ["ALLOWED", 9], ["APPROVAL", 9], ["BLOCKED"]],
    [...guardrails, { guardrail_id: "total", outcomes }].map(({ guardrail_id, outcomes: counts }) => [
      guardrail_id,
      counts.allow,
      counts.require_approval,
      counts.block
    ])
  )}\n${evaluations} evaluations from ${from} to ${to}.\n`

/** Formats the usage of a month. */
export const formatUsage = ({ actions, ai_calls, ai_tokens, month, plan, tenant_id }: Usage): string =>
  card([
    ["tenant", tenant_id],
    ["plan", plan],
    ["month", month],
    ["actions", `${actions.used} of ${actions.cap}`],
    ["model calls", `${ai_calls.used} of ${ai_calls.cap}`],
    ["model tokens", `${ai_tokens.input} input, ${ai_tokens.output} output`]
  ])

/** Formats the receipt of an erasure. */
export const formatErasure = (erasure: Erasure): string =>
  card([
    ["erasure", erasure.erasure_id],
    ["contact", erasure.contact_id],
    ["requested", `${minute(erasure.requested_at)} by ${erasure.requested_by}`],
    ["completed", erasure.completed_at === null ? "not yet; repeat the command" : minute(erasure.completed_at)],
    ["erased", joined(...Object.entries(erasure.erased).map(([what, count]) => `${count} ${what}`))],
    ["receipt", erasure.receipt_hash]
  ])

/** Formats the receipts of erasures, one per line. */
export const formatErasures = ({ erasures }: ErasurePage): string =>
  listing(
    "No erasures.",
    [["REQUESTED (UTC)", 16], ["CONTACT", 30], ["COMPLETED (UTC)", 16], ["BY"]],
    erasures.map(({ completed_at, contact_id, requested_at, requested_by }) => [
      minute(requested_at),
      contact_id,
      minute(completed_at),
      requested_by
    ])
  )

/** Formats the audit trail, one line per action. */
export const formatAudit = ({ entries }: AuditPage): string =>
  listing(
    "No entries.",
    [["TIME (UTC)", 16], ["ACTOR", 16], ["ACTION", 22], ["TARGET"]],
    entries.map(({ action, actor, target, timestamp }) => [
      minute(timestamp),
      actor,
      action,
      joined(...Object.entries(target).map(([name, value]) => `${name} ${value}`))
    ])
  )
