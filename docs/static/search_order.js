/* The order of search results: titles with the word that was typed come first, then guides.
   `TANClassifier` has the word TAN, `standardized` has not. */
const SEARCH_PLACES = {
  "guides/": 12, start: 12, glossary: 6, "generated/api/learners": 8, "generated/api/": 4, "reference/": 2, "studies/": -4,
};

function searchWords(text) {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

var Scorer = {
  score: ([page, title, , , score]) => {
    const typed = searchWords(new URLSearchParams(window.location.search).get("q") || "").filter(Boolean);
    const found = new Set(searchWords(title));
    const place = Object.keys(SEARCH_PLACES).find((start) => page.startsWith(start));
    return score + (typed.every((word) => found.has(word)) ? 30 : 0) + (place ? SEARCH_PLACES[place] : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
