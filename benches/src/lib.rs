//! What is measured about Lariat: running it and its peers, and comparing what they say.
