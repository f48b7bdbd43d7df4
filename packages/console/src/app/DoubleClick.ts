/** The buttons that send something: those of forms, the main actions of pages, and those with `data-once`. */
const sending = "button[type=submit], button[data-primary], button[data-once]"

// The second click of a double click would send twice, or would press the button that has taken the place of the first.
document.addEventListener(
  "click",
  (event) => {
    if (event.detail < 2 || !(event.target instanceof Element) || event.target.closest(sending) === null) return
    event.preventDefault()
    event.stopPropagation()
  },
  { capture: true }
)
