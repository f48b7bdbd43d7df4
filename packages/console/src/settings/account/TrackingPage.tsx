import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { useMay } from "../../app/Permissions.ts"
import { Facts } from "../../component/Facts.tsx"
import { Page, Section } from "../../component/Page.tsx"
import { accountText } from "../../text/Account.ts"
import type { Action } from "../Listing.ts"
import { PageActions } from "../PageActions.tsx"

const { tracking: shown } = accountText

/**
 * An operation of the same rights. All managers may change the configuration, but the server reserves this setting for
 * administrators, and only they create API keys.
 */
const ofAdministrators = "apiKeys.create"

const change = (isOn: boolean): Action => ({
  label: isOn ? shown.switchOff : shown.switchOn,
  message: isOn ? shown.offNote : shown.law,
  operation: ofAdministrators,
  send: async ({ client, tenantId }) => {
    await client.config.update(tenantId, { link_tracking: !isOn })
    return null
  }
})

/** Switches the tracking of links on and off, and explains what it means for the contacts. */
export const TrackingPage = () => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const mayChange = useMay(ofAdministrators)
  const queryKey = [tenantId, "link-tracking", "settings"]
  const config = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await client.config.get(tenantId, { signal })).config.link_tracking === true
  })
  const onDone = () => void queries.invalidateQueries({ queryKey })
  return (
    <Page
      title={shown.title}
      actions={config.data === undefined ? undefined : <PageActions actions={[change(config.data)]} onDone={onDone} />}
    >
      <Loaded query={config}>
        {(isOn) => (
          <>
            <Section title={shown.setting}>
              <Facts facts={[[shown.state, shown.states[isOn ? "on" : "off"]]]} />
              <p>{shown.about}</p>
              {mayChange ? null : <p>{shown.adminsOnly}</p>}
            </Section>
            <Section title={shown.consent}>
              <p>{shown.law}</p>
              <p>{shown.optOut}</p>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
