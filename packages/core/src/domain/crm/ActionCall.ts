import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Contact } from "../contact/Contact.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import type { ActionInputs } from "./ActionInputs.ts"

/** What a workflow of the CRM asks for, as it came. */
export interface ActionRequest {
  readonly actionKey: string
  readonly locationId: string
  /** The CRM's own id of the contact. */
  readonly crmContactId: string
  /** Null: the CRM does not say which workflow it is. */
  readonly workflowId: string | null
  readonly inputs: ActionInputs
}

/** The same, once it is known whom it is for. */
export interface ActionCall extends ActionRequest {
  readonly tenant: Tenant
  readonly contact: Contact
  /** The contact was not known here before. */
  readonly created: boolean
  /** The same for every repetition of the call: HighLevel calls again when it does not hear in time. */
  readonly callId: string
  /** When the call came first, epoch milliseconds. */
  readonly firstAt: number
}

/** What an action answers: flat, because each field becomes a variable of the workflow (`{{add_tag.contact_id}}`). */
export type ActionAnswer = Readonly<Record<string, string | number | boolean | null>>

/**
 * For how long the same call is the same: workflow, contact, action and inputs. A workflow that means it twice within
 * that time is taken for one that repeats itself, which is the lesser evil where a message would go out twice.
 */
export const repetitionMillis = 10 * 60_000

/** Objects by the order of their keys, so that the same inputs are the same text. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** FROZEN for as long as calls are remembered. What tells a call from another one. */
export const callKeyOf = ({ actionKey, crmContactId, inputs, locationId, workflowId }: ActionRequest): string =>
  bytesToHex(
    sha256(
      utf8ToBytes(JSON.stringify([actionKey, locationId, crmContactId, workflowId, inputs], sorted).toWellFormed())
    )
  )
