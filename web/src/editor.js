// The editor: as much of CodeMirror as a short Python program needs, in a shadow root, so that its styles need no
// exception from the page's content policy.
import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: ".875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", minHeight: "20rem", maxHeight: "70vh" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft)", color: "inherit" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", border: "1px solid var(--line)", color: "var(--ink)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
});
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--violet)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--green)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--teal)" },
  { tag: tags.comment, color: "var(--dim)", fontStyle: "italic" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--accent)" },
  { tag: tags.className, color: "var(--rose)" },
  { tag: tags.invalid, color: "var(--red)" },
]);

// Return an editor inside `host`. Tab indents; Escape, then Tab, leaves it, as the label says.
export const openEditor = (host, { label, changed, check }) => {
  const root = host.attachShadow({ mode: "open" });
  const view = new EditorView({ parent: root, root });
  const state = (text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ activateOnTyping: false }),
        highlightActiveLine(),
        keymap.of([
          { key: "Mod-Enter", run: () => (check(), true) },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        python(),
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
      ],
    });
  view.setState(state(""));
  return {
    open: (text) => view.setState(state(text)),
    focus: () => view.focus(),
    goTo: (line) => {
      const place = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines)).from;
      view.dispatch({ selection: { anchor: place }, scrollIntoView: true });
      view.focus();
    },
  };
};
