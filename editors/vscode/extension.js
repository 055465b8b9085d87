"use strict";
// The client: it starts `lariat lsp` and leaves the rest to the package vscode-languageclient. The commands of the code lenses are
// registered by that package, because the server announces them.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const settings = workspace.getConfiguration("lariat");
  const command = settings.get("path") || "lariat";
  const args = ["lsp", "--time-limit", settings.get("timeLimit") || "1m", "--memory-limit", settings.get("memoryLimit") || "2G"];
  const selector = [{ language: "promela" }, { language: "smv" }];
  client = new LanguageClient("lariat", "Lariat", { command, args }, { documentSelector: selector });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
