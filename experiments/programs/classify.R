# Learn from one ARFF file, forecast the rows of another, and write a column of probabilities for each class:
#
#   Rscript classify.R LEARNER TRAIN TEST PREDICTIONS [SMOOTHING]
#
# LEARNER is e1071, naivebayes, bnlearn_nb or bnlearn_tan. All take nominal attributes, the first two also
# numbers, as normal. Every count of e1071 and naivebayes begins with SMOOTHING (1); that of bnlearn is its iss.

arguments <- commandArgs(trailingOnly = TRUE)
smoothing <- if (length(arguments) > 4) as.numeric(arguments[5]) else 1

# factors get all declared levels, of which foreign::read.arff keeps those that rows show
read_arff <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  kinds <- sub("^@attribute ('([^'\\\\]|\\\\.)*'|[^ ]+) ", "", lines[startsWith(lines, "@attribute ")])
  rows <- read.table(
    text = lines[-seq_len(match("@data", lines))], sep = ",", quote = "'", na.strings = "?",
    colClasses = "character", comment.char = "", allowEscapes = TRUE, encoding = "UTF-8"
  )
  columns <- Map(function(cells, kind) {
    if (kind == "numeric") return(as.numeric(cells))
    inside <- substr(kind, 2, nchar(kind) - 1)
    values <- scan(
      text = inside, what = "", sep = ",", quote = "'", allowEscapes = TRUE, quiet = TRUE, encoding = "UTF-8"
    )
    factor(cells, levels = values)
  }, rows, kinds)
  # plain names, as formulas of R refuse others
  names(columns) <- c(paste0("a", seq_len(length(columns) - 1)), "class")
  as.data.frame(columns)
}

train <- read_arff(arguments[2])
test <- read_arff(arguments[3])
n <- ncol(train)
X <- test[-n]

forecast <- switch(arguments[1],
  e1071 = {
    model <- e1071::naiveBayes(train[-n], train$class, laplace = smoothing)
    model$apriori <- model$apriori + smoothing
    predict(model, X, type = "raw", threshold = 0, eps = 0)
  },
  naivebayes = {
    prior <- prop.table(table(train$class) + smoothing)
    model <- naivebayes::naive_bayes(train[-n], train$class, prior = prior, laplace = smoothing)
    predict(model, X, type = "prob")
  },
  bnlearn_nb = ,
  bnlearn_tan = {
    structure <- if (arguments[1] == "bnlearn_nb") bnlearn::naive.bayes else bnlearn::tree.bayes
    fitted <- bnlearn::bn.fit(structure(train, "class"), train, method = "bayes", iss = smoothing)
    t(attr(predict(fitted, data = X, prob = TRUE), "prob"))
  },
  stop("unknown learner ", arguments[1])
)
forecast <- as.data.frame(matrix(forecast, ncol = nlevels(train$class)))
names(forecast) <- levels(train$class)
# 17 digits keep every number
write.csv(format(forecast, digits = 17), arguments[4], row.names = FALSE, fileEncoding = "UTF-8")
