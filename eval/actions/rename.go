package main

func renameAll(sessions []session, texts map[string]string) {}
