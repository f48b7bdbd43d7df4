import { Effect } from "effect"
import { identitiesOf, lookupIdentities } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { resolveSender } from "../../domain/contact/Resolve.ts"
import type { SenderProfile } from "../contact/ResolveContact.ts"
import type { Channel } from "../../domain/Channel.ts"
import type { Inbound } from "./Inbound.ts"
import type { ContactId } from "../../domain/Id.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"

/** A message handed to the pipeline by a partner application. */
export interface PipelineInput {
  readonly message: string
  readonly contact: { readonly name: string | null; readonly email: string | null; readonly phone: string | null }
  readonly channel: Channel
  readonly source: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Whose message it is, where that is known; absent: whoever address and number lead to. */
  readonly contactId?: ContactId
  /** The caller's name for this request: the same again is the same message. Null: none. */
  readonly idempotencyKey: string | null
  /** SHA-256 of the request: another one under the same key is refused. Absent: the key alone says which request it is. */
  readonly fingerprint?: string
}

const readContact = (tenant: Tenant, { contact }: PipelineInput) => {
  const { identities, issues } = identitiesOf(contact, tenant.config.defaultCountry, parsePhoneMemoized)
  const profile: SenderProfile = {
    name: contact.name,
    email: identities.find(({ kind }) => kind === "email")?.value ?? null,
    phone: identities.find(({ kind }) => kind === "phone")?.value ?? null,
    company: null
  }
  return { identities, issues, profile }
}

/** The message as intake takes it: the caller runs the pipeline on it at once. */
export const toInbound = (tenant: Tenant, input: PipelineInput, now: number): Inbound => {
  const { identities, issues, profile } = readContact(tenant, input)
  return {
    tenant,
    channel: input.channel,
    source: input.source,
    actor: "contact",
    auto: null,
    delivery: null,
    ...(input.contactId === undefined ? {} : { contactId: input.contactId }),
    identities,
    profile,
    body: input.message,
    quotedText: null,
    subject: null,
    mail: null,
    flags: [],
    metadata: input.metadata,
    timestamp: now,
    dedupKeys: input.idempotencyKey === null ? [] : [`request:key:${input.idempotencyKey}`],
    ...(input.fingerprint === undefined ? {} : { fingerprint: input.fingerprint }),
    pipeline: "claimed",
    detail: issues.length === 0 ? null : issues.map((issue) => `${issue.field}: ${issue.message}`).join(" ")
  }
}

/** The message as a run sees it, without storing anything: as if the contact, known or not, wrote it now. */
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
      email: known?.email ?? profile.email,
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
    now
  }
  return subject
})
