import { Schema } from "effect"

/** Returns the schema of an id with a description. Ids are opaque to clients. */
const id = (description: string) => Schema.String.annotate({ description })

/** The ids that several endpoint groups share. A null id has its own description, because it states why there is none. */
export const tenantId = id("The tenant")
export const contactId = id("Contact id (`con_…`)")
export const identityId = id("Identity id (`idn_…`)")
export const leadId = id("Lead id (`lead_…`)")
export const messageId = id("Message id (`msg_…`)")
export const signalId = id("Signal id (`sig_…`): one inbound message on its way through the pipeline")
export const locationId = id("The CRM's id of the location")
export const userId = id("User id (`usr_…`)")
export const teamId = id("Team id (`team_…`)")
