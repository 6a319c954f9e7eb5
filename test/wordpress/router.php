<?php
// What a web server's rewrite rules do: files are served as they are, everything else below its home is WordPress's.

// parse_url would not do: a path that ends in ":9" is none to it.
$path      = rawurldecode( explode( '?', $_SERVER['REQUEST_URI'], 2 )[0] );
$root      = $_SERVER['DOCUMENT_ROOT'];
$wordpress = __DIR__ . '/wordpress';

// The home is the first directory on the way down that has an index.php.
$home = '';
for ( $rest = trim( $path, '/' ); ! is_file( "$root$home/index.php" ); ) {
	[ $segment, $rest ] = explode( '/', $rest, 2 ) + array( '', '' );
	if ( in_array( $segment, array( '', '.', '..' ), true ) || ! is_dir( "$root$home/$segment" ) ) {
		http_response_code( 404 );
		exit( '<!DOCTYPE html><title>404</title><h1>Nothing here</h1>' );
	}
	$home .= "/$segment";
}

$file = realpath( $root . $path );
// WordPress may lie outside the root, behind a link.
if ( $file && ( str_starts_with( "$file/", "$root/" ) || str_starts_with( "$file/", "$wordpress/" ) ) ) {
	if ( is_file( $file . '/index.php' ) && ! str_ends_with( $path, '/' ) ) {
		header( "Location: $path/", true, 301 );
		exit;
	}
	if ( is_file( $file ) || is_file( $file . '/index.php' ) ) {
		return false;
	}
}

$script = "$home/index.php";
// WordPress's rules for a subdirectory network: each site seems to have files of its own.
if ( getenv( 'MULTISITE' ) && preg_match( '#^' . $home . '/[\\w-]+(/wp-(?:admin|[\\w-]+\\.php)(?:/.*)?)$#', $path, $own ) ) {
	if ( str_ends_with( $path, '/wp-admin' ) ) {
		header( "Location: $path/", true, 301 );
		exit;
	}
	$name = $home . $own[1] . ( str_ends_with( $path, '/' ) ? 'index.php' : '' );
	$file = realpath( $root . $name );
	if ( $file && str_starts_with( $file, "$wordpress/" ) && str_ends_with( $file, '.php' ) ) {
		$script = $name;
	}
}

// php -S guesses these from the path, and guesses wrong where a segment holds a dot.
$_SERVER['SCRIPT_NAME']     = $script;
$_SERVER['PHP_SELF']        = $script;
$_SERVER['SCRIPT_FILENAME'] = $root . $script;
if ( str_starts_with( $path, "$script/" ) ) {
	$_SERVER['PATH_INFO'] = substr( $path, strlen( $script ) );
} else {
	unset( $_SERVER['PATH_INFO'] );
}

chdir( dirname( $root . $script ) );
require $root . $script;
