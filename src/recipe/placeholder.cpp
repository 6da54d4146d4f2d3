namespace normscope {}
