import { Effect } from "effect"
import { identitiesOf, lookupIdentities } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { profileOf, resolveSender } from "../../domain/contact/Resolve.ts"
import type { Channel } from "../../domain/Channel.ts"
import { type Inbound, plainInbound } from "./Inbound.ts"
import type { ContactId } from "../../domain/Id.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { noDeal } from "../../domain/lead/Deal.ts"
import { readRecordFacts } from "../fact/ReadRecordFacts.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { keywordsVersion } from "../../domain/classification/KeywordClassifier.ts"

/** A message that a partner application sends to the pipeline. */
export interface PipelineInput {
  readonly message: string
  readonly contact: { readonly name: string | null; readonly email: string | null; readonly phone: string | null }
  readonly channel: Channel
  readonly source: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The contact, if it is already known. If absent, address and number determine the contact. */
  readonly contactId?: ContactId
  /** The client's idempotency key. A repeated key returns the same message. Null when the request has none. */
  readonly idempotencyKey: string | null
  /**
   * The SHA-256 of the request. A different request with the same key is rejected. If absent, only the key is compared.
   */
  readonly fingerprint?: string
}

const readContact = (tenant: Tenant, { contact }: PipelineInput) => {
  const { identities, issues } = identitiesOf(contact, tenant.config.defaultCountry, parsePhoneMemoized)
  return { identities, issues, profile: profileOf(identities, { name: contact.name, company: null }) }
}

/** Converts the input to an `Inbound`. The caller must run the pipeline immediately. */
export const toInbound = (tenant: Tenant, input: PipelineInput, now: number): Inbound => {
  const { identities, issues, profile } = readContact(tenant, input)
  return {
    ...plainInbound,
    tenant,
    channel: input.channel,
    source: input.source,
    actor: "contact",
    ...(input.contactId === undefined ? {} : { contactId: input.contactId }),
    identities,
    profile,
    body: input.message,
    metadata: input.metadata,
    timestamp: now,
    dedupKeys: input.idempotencyKey === null ? [] : [`request:key:${input.idempotencyKey}`],
    ...(input.fingerprint === undefined ? {} : { fingerprint: input.fingerprint }),
    pipeline: "claimed",
    detail: issues.length === 0 ? null : issues.map((issue) => `${issue.field}: ${issue.message}`).join(" ")
  }
}

/** Returns the subject of a run for the input, as if the contact wrote the message now. Stores nothing. */
export const subjectOfInput = Effect.fnUntraced(function* (
  tenant: Tenant,
  input: PipelineInput,
  now: number,
  modelConfigured = false
) {
  const { identities, profile } = readContact(tenant, input)
  const contacts = yield* Contacts
  const holders = identities.length === 0 ? [] : yield* contacts.holders(tenant.tenantId, lookupIdentities(identities))
  const { use: known } = resolveSender(identities, holders)
  const email = known?.email ?? profile.email
  const records = {
    contact: {
      tenantId: tenant.tenantId,
      companyId: known?.companyId ?? null,
      companyRemoved: known?.companyRemoved ?? false,
      attributes: known?.attributes ?? {},
      customFields: known?.customFields ?? {},
      email,
      phone: known?.phone ?? profile.phone
    },
    contactId: known?.contactId ?? null,
    lead: { ...noDeal, assigneeId: null, teamId: null, state: "open" as const, tenantId: tenant.tenantId },
    before: null
  }
  const subject: RunSubject = {
    tenant,
    message: {
      attachments: [],
      auto: null,
      body: input.message,
      channel: input.channel,
      flags: [],
      metadata: input.metadata,
      receivedAlias: null,
      source: input.source,
      subject: null
    },
    contact: {
      company: known?.company ?? null,
      name: known?.name ?? profile.name,
      email,
      phone: known?.phone ?? profile.phone,
      tags: known?.tags ?? []
    },
    contactIsNew: known === null,
    lead: { assignee: null, createdAt: now, source: input.source, state: "open" },
    leadIsNew: true,
    overtaken: false,
    repliesToday: 0,
    lastByPersonAt: null,
    modelConfigured,
    keywordsVersion,
    ...(yield* readRecordFacts(tenant, records, now)),
    now
  }
  return subject
})
