/**
 * Submits every form with `data-leadloom` without leaving the page. Solves the server's proof of work, shows errors next
 * to their fields, announces them to screen readers, and ignores a second click. Without this script, the browser submits
 * the forms. The attributes data-sending, data-thanks and data-failed of the form replace the default texts.
 */
;(() => {
  /**
   * Finds a number for which the SHA-256 hash starts with enough zero bits.
   *
   * @param {any} asked
   */
  const solve = async ({ challenge, difficulty }) => {
    if (!challenge) return undefined
    for (let number = 0; ; number++) {
      const proof = `${challenge}.${number}`
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(proof))
      if (Math.clz32(new DataView(hash).getUint32(0)) >= difficulty) return proof
    }
  }

  /** @param {HTMLFormElement} form */
  const fieldsOf = (form) => {
    /** @type {Record<string, unknown>} */
    const fields = {}
    new FormData(form).forEach((value, name) => {
      fields[name] = name in fields ? [fields[name], value].flat() : value
    })
    return fields
  }

  /**
   * Shows an error next to its field. Returns a function that removes the error, or undefined for an unknown field.
   *
   * @param {HTMLFormElement} form
   * @param {{ path: string; message: string }} issue
   */
  const blame = (form, { message, path }) => {
    const field = path && form.querySelector(`[name="${CSS.escape(path)}"]`)
    if (!(field instanceof HTMLElement)) return undefined
    const note = document.createElement("span")
    note.id = `leadloom-${path}`
    note.className = "leadloom-error"
    note.textContent = message
    field.after(note)
    field.setAttribute("aria-invalid", "true")
    field.setAttribute("aria-describedby", note.id)
    field.focus()
    return () => {
      note.remove()
      field.removeAttribute("aria-invalid")
      field.removeAttribute("aria-describedby")
    }
  }

  /** @param {HTMLFormElement} form */
  const sender = (form) => {
    const url = form.getAttribute("action") ?? ""
    let id = ""
    /** @type {Promise<string | undefined> | undefined} */
    let proof
    // Starts on focus of the first field, so that the proof is ready before the last field is filled in.
    const prepare = () =>
      (proof ??= fetch(`${url}/challenge`)
        .then((response) => response.json())
        .then(solve)
        .catch(() => undefined))
    const send = async () => {
      id ||= `${Date.now()}-${Math.random()}`
      const fields = { proof: await prepare(), ...fieldsOf(form), submission_id: id }
      // A proof is valid for one submission. A failed request for a challenge is repeated for the next one.
      proof = undefined
      const headers = { "content-type": "application/json" }
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(fields) })
      const answer = await response.json()
      if (response.ok) id = ""
      return answer
    }
    return { prepare, send }
  }

  /** @param {HTMLFormElement} form */
  const enhance = (form) => {
    const { prepare, send } = sender(form)
    const texts = form.dataset
    const status = document.createElement("p")
    status.setAttribute("role", "status")
    form.append(status)
    /** @type {Array<(() => void) | undefined>} */
    let notes = []
    let busy = false
    /** @param {any} answer */
    const tell = ({ error, thank_you_url: next }) => {
      if (error) {
        const issues = [error.details ?? []].flat()
        notes = issues.map((issue) => blame(form, issue))
        const others = issues.filter((_, index) => !notes[index])
        return [error, ...others].map(({ message }) => message).join(" ")
      }
      form.reset()
      if (next) location.assign(next)
      return texts.thanks ?? "Thank you. We will be in touch."
    }
    form.addEventListener("focusin", prepare, { once: true })
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      if (busy) return
      busy = true
      for (const undo of notes.splice(0)) undo?.()
      status.textContent = texts.sending ?? "Sending…"
      status.textContent = await send()
        .then(tell)
        .catch(() => texts.failed ?? "This could not be sent. Please try again.")
      busy = false
    })
  }

  for (const form of document.querySelectorAll("form[data-leadloom]")) {
    if (form instanceof HTMLFormElement) enhance(form)
  }
})()
