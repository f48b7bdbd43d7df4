import type { ContactDetail } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { Factors } from "../component/Factors.tsx"
import { Empty, Section } from "../component/Page.tsx"
import { money } from "../design/Number.ts"
import { contactText } from "../text/Contact.ts"
import { leadStateName, tierName } from "../text/Names.ts"
import { text } from "../text/Shared.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Contact.module.css"

/** The open leads of a contact, and the score of the newest one with its factors. */
export const ContactLeads = ({ detail: { open_leads: leads, scoring } }: { readonly detail: ContactDetail }) => (
  <>
    {scoring === null ? null : (
      <Section title={contactText.score}>
        <p>
          {scoring.score ?? text.none} {tierName(scoring.tier)}
        </p>
        <Factors label={contactText.factors} factors={scoring.factors} />
        {scoring.classification === null ? null : <p>{scoring.classification.summary}</p>}
      </Section>
    )}
    <Section title={contactText.leads.title}>
      {leads.length === 0 ? <Empty>{contactText.leads.none}</Empty> : null}
      <ul className={blocks.list}>
        {leads.map((lead) => (
          <li key={lead.id} className={blocks.card}>
            <div className={styles.head}>
              <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
                {lead.subject ?? contactText.leads.untitled}
              </Link>
              <span>{leadStateName(lead.state)}</span>
              <span>{tierName(lead.score_tier)}</span>
              <span>{money(lead.value, lead.currency)}</span>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  </>
)
